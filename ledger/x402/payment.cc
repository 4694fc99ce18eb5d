#include <map>
#include <string>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/recipes.h"

namespace tally::x402 {
namespace {

absl::StatusOr<int> RequireVersion(const json::Value& value) {
  const json::Value* version = value.Find("x402Version");
  if (version != nullptr && version->number() != nullptr) {
    const std::optional<std::int64_t> number = version->number()->AsInteger();
    if (number == 1 || number == 2) return static_cast<int>(*number);
  }
  return Malformed("x402Version", version, "the number 1 or 2", "version_unknown");
}

absl::StatusOr<Network> RequireNetwork(const json::Value* value, absl::string_view field) {
  std::string condition = "network_not_caip2";
  if (value != nullptr && value->string() != nullptr) {
    absl::StatusOr<Network> network = Network::ParseOrAlias(*value->string());
    if (network.ok()) return network;
    const std::map<std::string, std::string> metadata = MetadataOf(network.status());
    const auto found = metadata.find("condition");
    if (found != metadata.end()) condition = found->second;
  }
  return Malformed(field, value, "a CAIP-2 id such as eip155:8453, or a network name of x402 V1",
                   condition);
}

std::string StringOr(const json::Value& value, absl::string_view key) {
  const std::string* text = value.FindString(key);
  return text == nullptr ? std::string() : *text;
}

// V1 payloads name no asset: it is in the requirements, if those are for the same chain.
std::optional<json::Value> AssetOfV1(const json::Value& value, const Network& network,
                                     const std::optional<Requirements>& matched) {
  if (const json::Value* asset = value.Find("asset"); asset != nullptr) return *asset;
  if (!matched.has_value() || matched->asset.empty()) return std::nullopt;
  if (!matched->network.empty() && matched->network != network.text()) return std::nullopt;
  return json::Text(matched->asset);
}

absl::StatusOr<Envelope> ReadEnvelope(const json::Value& value, int version,
                                      const std::optional<Requirements>& matched) {
  const json::Value* payload = value.Find("payload");
  if (payload == nullptr || payload->object() == nullptr) {
    return Malformed("payload", payload, "an object", "payload_not_object");
  }
  if (version == 1) {
    TALLY_ASSIGN_OR_RETURN(Network network, RequireNetwork(value.Find("network"), "network"));
    std::optional<json::Value> asset = AssetOfV1(value, network, matched);
    return Envelope{*payload,  StringOr(value, "scheme"), "scheme", std::move(network),
                    "network", std::move(asset),          "asset"};
  }
  const json::Value* accepted = value.Find("accepted");
  if (accepted == nullptr || accepted->object() == nullptr) {
    return Malformed("accepted", accepted, "the chosen entry of accepts", "accepted_not_object");
  }
  TALLY_ASSIGN_OR_RETURN(Network network,
                         RequireNetwork(accepted->Find("network"), "accepted.network"));
  std::optional<json::Value> asset;
  if (const json::Value* said = accepted->Find("asset"); said != nullptr) asset = *said;
  return Envelope{*payload,           StringOr(*accepted, "scheme"),
                  "accepted.scheme",  std::move(network),
                  "accepted.network", std::move(asset),
                  "accepted.asset"};
}

std::string ResourceUrlOf(const json::Value& value) {
  const json::Value* resource = value.Find("resource");
  if (resource == nullptr) return "";
  return resource->string() != nullptr ? *resource->string() : StringOr(*resource, "url");
}

// The body of a facilitator request holds the payment beside its requirements (x402 specification
// V2 section 7).
absl::StatusOr<Payment> ReadFacilitatorRequest(const json::Value& request, const json::Value& inner,
                                               const std::optional<Requirements>& matched) {
  const json::Value* requirements = request.Find("paymentRequirements");
  absl::StatusOr<Payment> payment = requirements != nullptr && requirements->object() != nullptr
                                        ? ReadPayment(inner, ReadRequirements(*requirements))
                                        : ReadPayment(inner, matched);
  if (!payment.ok()) return InField("paymentPayload", payment.status());
  return payment;
}

}  // namespace

absl::StatusOr<Payment> ReadPayment(const json::Value& value,
                                    const std::optional<Requirements>& matched) {
  if (value.object() == nullptr) {
    return Malformed("payment", &value, "an object", "payment_not_object");
  }
  const json::Value* inner = value.Find("paymentPayload");
  if (inner != nullptr && value.Find("payload") == nullptr) {
    return ReadFacilitatorRequest(value, *inner, matched);
  }
  TALLY_ASSIGN_OR_RETURN(const int version, RequireVersion(value));
  TALLY_ASSIGN_OR_RETURN(const Envelope envelope, ReadEnvelope(value, version, matched));
  Payment payment;
  payment.version = version;
  payment.scheme = envelope.scheme;
  payment.network = envelope.network.text();
  payment.accepted = version == 1 ? matched : ReadRequirements(*value.Find("accepted"));
  payment.payload_digest = DigestOf(envelope.payload);
  payment.resource_url = ResourceUrlOf(value);
  payment.payment_identifier = PaymentIdentifierOf(value);
  payment.challenge_id = ChallengeIdOf(value);
  TALLY_RETURN_IF_ERROR(ApplyRecipe(envelope, payment));
  return payment;
}

}  // namespace tally::x402

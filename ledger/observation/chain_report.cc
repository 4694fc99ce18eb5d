#include <utility>

#include "absl/strings/ascii.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

// The typed fields of a chain fact, none of them coerced.
struct Fields {
  Network network;
  std::optional<Address> asset;
  Address from;
  std::optional<Address> to;
  std::optional<Uint256> value;
  std::optional<Bytes32> nonce;  // EIP-3009
  std::optional<Uint256> permit2_nonce;
};

template <typename T>
absl::Status ParseInto(absl::string_view field, const std::string& text, absl::string_view wanted,
                       std::optional<T>& out) {
  if (text.empty()) return absl::OkStatus();
  absl::StatusOr<T> value = T::Parse(text);
  if (!value.ok()) return FieldError(field, text, wanted);
  out = *std::move(value);
  return absl::OkStatus();
}

absl::Status ReadNonce(const std::string& nonce, Fields& out) {
  constexpr absl::string_view kWanted =
      "0x and 64 hex digits (EIP-3009), or a canonical decimal (Permit2)";
  if (nonce.empty()) return Missing("nonce", kWanted);
  if (nonce.rfind("0x", 0) == 0) return ParseInto("nonce", nonce, kWanted, out.nonce);
  return ParseInto("nonce", nonce, kWanted, out.permit2_nonce);
}

absl::StatusOr<Fields> ReadFields(const ChainReport& report) {
  constexpr absl::string_view kAddress = "0x and 40 hex digits";
  Fields out;
  if (report.network.empty()) return Missing("network", "a CAIP-2 id such as eip155:8453");
  absl::StatusOr<Network> network = Network::Parse(report.network);
  if (!network.ok()) return network.status();
  out.network = *std::move(network);
  std::optional<Address> from;
  if (report.from.empty()) return Missing("from", kAddress);
  TALLY_RETURN_IF_ERROR(ParseInto("from", report.from, kAddress, from));
  out.from = *std::move(from);
  TALLY_RETURN_IF_ERROR(ParseInto("asset", report.asset, kAddress, out.asset));
  TALLY_RETURN_IF_ERROR(ParseInto("to", report.to, kAddress, out.to));
  TALLY_RETURN_IF_ERROR(
      ParseInto("value", report.value, "a canonical decimal up to 2^256-1", out.value));
  TALLY_RETURN_IF_ERROR(ReadNonce(report.nonce, out));
  if (out.nonce.has_value() && !out.asset.has_value()) return Missing("asset", kAddress);
  std::optional<Bytes32> hash;
  constexpr absl::string_view kHash = "0x and 64 hex digits";
  TALLY_RETURN_IF_ERROR(ParseInto("chain_tx", report.chain_tx, kHash, hash));
  TALLY_RETURN_IF_ERROR(ParseInto("block_hash", report.block_hash, kHash, hash));
  if (report.block < 0) {
    return FieldError("block", std::to_string(report.block), "a block number from 0");
  }
  return out;
}

x402::Slot SlotOf(const Fields& fields) {
  return fields.nonce.has_value()
             ? x402::Eip3009Slot(fields.network, *fields.asset, fields.from, *fields.nonce)
             : x402::Permit2Slot(fields.network, fields.from, *fields.permit2_nonce);
}

// The payment an EIP-3009 transfer is, by the recipe of the payload it came from.
absl::StatusOr<SettlementId> IdOf(const Fields& fields) {
  json::Object accepted;
  json::Put(accepted, "scheme", json::Text("exact"));
  json::Put(accepted, "network", json::Text(fields.network.text()));
  json::Put(accepted, "asset", json::Text(fields.asset->text()));
  json::Object authorization;
  json::Put(authorization, "from", json::Text(fields.from.text()));
  json::Put(authorization, "to", json::Text(fields.to->text()));
  json::Put(authorization, "value", json::Text(fields.value->ToString()));
  json::Put(authorization, "nonce", json::Text(fields.nonce->text()));
  json::Object payload;
  json::Put(payload, "authorization", json::Value(std::move(authorization)));
  json::Object payment;
  json::Put(payment, "x402Version", json::Value::Integer(2));
  json::Put(payment, "accepted", json::Value(std::move(accepted)));
  json::Put(payment, "payload", json::Value(std::move(payload)));
  TALLY_ASSIGN_OR_RETURN(const x402::Payment read,
                         x402::ReadPayment(json::Value(std::move(payment))));
  return read.id;
}

settlement::ChainObserved BodyOf(const ChainReport& report, const Fields& fields) {
  settlement::ChainObserved body;
  body.fact = report.fact;
  body.finality = report.finality;
  body.network = fields.network.text();
  if (fields.asset.has_value()) body.asset = fields.asset->text();
  body.from = fields.from.text();
  if (fields.to.has_value()) body.to = fields.to->text();
  if (fields.value.has_value()) body.value = fields.value->ToString();
  body.nonce = fields.nonce.has_value() ? fields.nonce->text() : fields.permit2_nonce->ToString();
  body.slot = SlotOf(fields).text;
  body.chain_tx = absl::AsciiStrToLower(report.chain_tx);
  body.log_index = report.log_index;
  body.block = report.block;
  body.block_hash = absl::AsciiStrToLower(report.block_hash);
  body.block_time = report.block_time;
  return body;
}

}  // namespace

absl::StatusOr<Reading> ReadChainReport(const Observation& observation, const ChainReport& report) {
  TALLY_ASSIGN_OR_RETURN(const Fields fields, ReadFields(report));
  const settlement::ChainObserved body = BodyOf(report, fields);
  const bool is_of_payment = fields.nonce.has_value() && fields.to.has_value() &&
                             fields.value.has_value() &&
                             (report.fact == settlement::ChainFact::kTransfer ||
                              report.fact == settlement::ChainFact::kRetracted);
  Reading out;
  if (is_of_payment) {
    TALLY_ASSIGN_OR_RETURN(const SettlementId id, IdOf(fields));
    out.events.push_back(
        EventOf(observation, settlement::SubjectOf(id), body, nullptr, "#settlement"));
  }
  // A retraction takes back what the slot was told as well.
  if (!is_of_payment || report.fact == settlement::ChainFact::kRetracted) {
    out.events.push_back(EventOf(observation, settlement::SlotSubject(body.slot), body));
  }
  return out;
}

}  // namespace tally::observation

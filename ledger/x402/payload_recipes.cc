// Payloads without a transfer of their own on chain: the id is a digest of the payload and weak.
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/recipes.h"

namespace tally::x402 {
namespace {

// The weak id: a digest of what the scheme's payload says, without what can be signed anew.
absl::Status ApplyPayloadRecipe(const Envelope& envelope, json::Object known, Payment& payment) {
  if (envelope.scheme.empty()) {
    return Malformed(envelope.scheme_field, nullptr, "the name of the scheme", "scheme_missing");
  }
  const json::Value payload(std::move(known));
  const auto canonical = json::Canonical(payload, json::NumberPolicy::kExact);
  if (!canonical.ok()) {
    return Malformed("payload", &payload, "numbers that a double holds exactly (RFC 8785)",
                     "payload_number_not_exact");
  }
  json::Object members;
  json::Put(members, "v", json::Text(kOwnRecipe));
  json::Put(members, "kind", json::Text("payload"));
  json::Put(members, "scheme", json::Text(envelope.scheme));
  json::Put(members, "network", json::Text(envelope.network.text()));
  json::Put(members, "payloadSha256", json::Text(crypto::Sha256Hex(*canonical)));
  TALLY_ASSIGN_OR_RETURN(payment.id, IdOf(std::move(members)));
  payment.recipe = Recipe::kPayload;
  payment.is_weak = true;
  if (envelope.asset.has_value() && envelope.asset->string() != nullptr) {
    payment.asset = LowerIfAddress(*envelope.asset->string());
  }
  // These payloads sign no terms that can be read here: what was asked for stands in.
  if (payment.accepted.has_value()) {
    payment.pay_to = payment.accepted->pay_to;
    const auto amount = Uint256::Parse(payment.accepted->amount);
    if (amount.ok()) payment.amount = *amount;
  }
  return absl::OkStatus();
}

// Hex carries no meaning in its case; other text stays as written.
std::string LowerIfHex(const std::string& text) {
  if (text.rfind("0x", 0) != 0) return text;
  for (std::size_t i = 2; i < text.size(); ++i) {
    if (!absl::ascii_isxdigit(static_cast<unsigned char>(text[i]))) return text;
  }
  return absl::AsciiStrToLower(text);
}

}  // namespace

absl::Status ReadErc7710(const Envelope& envelope, Payment& payment) {
  TALLY_RETURN_IF_ERROR(RequireEvm(envelope));
  json::Object known;
  for (const absl::string_view key : {"delegationManager", "permissionContext", "delegator"}) {
    const json::Value* member = envelope.payload.Find(key);
    if (member == nullptr || member->string() == nullptr) {
      return Malformed(absl::StrCat("payload.", key), member, "a string",
                       "delegation_member_not_string");
    }
    json::Put(known, key, json::Text(LowerIfHex(*member->string())));
  }
  payment.payer = LowerIfAddress(*envelope.payload.FindString("delegator"));
  return ApplyPayloadRecipe(envelope, std::move(known), payment);
}

absl::Status ReadUnknownScheme(const Envelope& envelope, Payment& payment) {
  json::Object known;
  if (const json::Object* members = envelope.payload.object(); members != nullptr) {
    for (const auto& [key, member] : *members) {
      if (key != "signature") known.emplace_back(key, member);
    }
  }
  if (known.empty()) {
    return Malformed("payload", &envelope.payload, "members beside the signature", "payload_empty");
  }
  return ApplyPayloadRecipe(envelope, std::move(known), payment);
}

}  // namespace tally::x402

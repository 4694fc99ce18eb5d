// Payloads that sign a transfer the chain executes once: EIP-3009 and Permit2.
#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/recipes.h"

namespace tally::x402 {
namespace {

// Validity windows are no part of an id, so an odd one is unknown and not malformed.
std::optional<std::int64_t> SecondsOf(const json::Value& object, absl::string_view key) {
  const std::string* text = object.FindString(key);
  if (text == nullptr) return std::nullopt;
  const absl::StatusOr<Uint256> seconds = Uint256::Parse(*text);
  return seconds.ok() ? seconds->ToInt64() : std::nullopt;
}

absl::Status RequireObject(const json::Value* value, absl::string_view field,
                           absl::string_view condition) {
  if (value != nullptr && value->object() != nullptr) return absl::OkStatus();
  return Malformed(field, value, "an object", condition);
}

absl::StatusOr<Address> RequireAsset(const Envelope& envelope) {
  if (!envelope.asset.has_value()) {
    return Malformed(envelope.asset_field, nullptr,
                     "the token, here or in requirements of the same network", "asset_missing");
  }
  return RequireAddress(&*envelope.asset, envelope.asset_field, "asset_not_address");
}

struct Permit2Terms {
  Address owner, spender, token, to;
  Uint256 amount, nonce;
};

absl::StatusOr<Permit2Terms> ReadPermit2Terms(const json::Value& authorization) {
  const auto path = [](absl::string_view member) {
    return absl::StrCat("payload.permit2Authorization.", member);
  };
  Permit2Terms out;
  TALLY_ASSIGN_OR_RETURN(
      out.owner, RequireAddress(authorization.Find("from"), path("from"), "from_not_address"));
  TALLY_ASSIGN_OR_RETURN(out.spender, RequireAddress(authorization.Find("spender"), path("spender"),
                                                     "spender_not_address"));
  TALLY_ASSIGN_OR_RETURN(out.token, RequireAddress(authorization.Find({"permitted", "token"}),
                                                   path("permitted.token"), "token_not_address"));
  TALLY_ASSIGN_OR_RETURN(out.to, RequireAddress(authorization.Find({"witness", "to"}),
                                                path("witness.to"), "to_not_address"));
  TALLY_ASSIGN_OR_RETURN(out.amount, RequireUint256(authorization.Find({"permitted", "amount"}),
                                                    path("permitted.amount"), "amount"));
  TALLY_ASSIGN_OR_RETURN(out.nonce,
                         RequireUint256(authorization.Find("nonce"), path("nonce"), "nonce"));
  return out;
}

}  // namespace

// x402-payment-fingerprint/0. Signature and window are left out: signatures are malleable.
absl::Status ReadEip3009(const Envelope& envelope, Payment& payment) {
  TALLY_RETURN_IF_ERROR(RequireEvm(envelope));
  const json::Value* signed_terms = envelope.payload.Find("authorization");
  TALLY_RETURN_IF_ERROR(
      RequireObject(signed_terms, "payload.authorization", "authorization_not_object"));
  TALLY_ASSIGN_OR_RETURN(const Address asset, RequireAsset(envelope));
  TALLY_ASSIGN_OR_RETURN(
      const Address from,
      RequireAddress(signed_terms->Find("from"), "payload.authorization.from", "from_not_address"));
  TALLY_ASSIGN_OR_RETURN(
      const Address to,
      RequireAddress(signed_terms->Find("to"), "payload.authorization.to", "to_not_address"));
  TALLY_ASSIGN_OR_RETURN(
      const Uint256 value,
      RequireUint256(signed_terms->Find("value"), "payload.authorization.value", "value"));
  TALLY_ASSIGN_OR_RETURN(const Bytes32 nonce,
                         RequireBytes32(signed_terms->Find("nonce"), "payload.authorization.nonce",
                                        "nonce_not_bytes32_hex"));
  json::Object members;
  json::Put(members, "v", json::Text(NameOf(Recipe::kEip3009)));
  json::Put(members, "network", json::Text(envelope.network.text()));
  json::Put(members, "asset", json::Text(asset.text()));
  json::Put(members, "from", json::Text(from.text()));
  json::Put(members, "to", json::Text(to.text()));
  json::Put(members, "value", json::Text(value.ToString()));
  json::Put(members, "nonce", json::Text(nonce.text()));
  TALLY_ASSIGN_OR_RETURN(payment.id, IdOf(std::move(members)));
  payment.recipe = Recipe::kEip3009;
  payment.slot = Eip3009Slot(envelope.network, asset, from, nonce);
  payment.asset = asset.text();
  payment.payer = from.text();
  payment.pay_to = to.text();
  payment.amount = value;
  payment.nonce = nonce.text();
  payment.valid_after = SecondsOf(*signed_terms, "validAfter");
  payment.valid_before = SecondsOf(*signed_terms, "validBefore");
  return absl::OkStatus();
}

absl::Status ReadPermit2(const Envelope& envelope, Payment& payment) {
  TALLY_RETURN_IF_ERROR(RequireEvm(envelope));
  const json::Value* authorization = envelope.payload.Find("permit2Authorization");
  TALLY_RETURN_IF_ERROR(RequireObject(authorization, "payload.permit2Authorization",
                                      "permit2_authorization_not_object"));
  TALLY_ASSIGN_OR_RETURN(const Permit2Terms terms, ReadPermit2Terms(*authorization));
  json::Object members;
  json::Put(members, "v", json::Text(kOwnRecipe));
  json::Put(members, "kind", json::Text("permit2"));
  json::Put(members, "network", json::Text(envelope.network.text()));
  json::Put(members, "permit2", json::Text(kPermit2Contract));
  json::Put(members, "owner", json::Text(terms.owner.text()));
  json::Put(members, "nonce", json::Text(terms.nonce.ToString()));
  json::Put(members, "spender", json::Text(terms.spender.text()));
  json::Put(members, "token", json::Text(terms.token.text()));
  json::Put(members, "amount", json::Text(terms.amount.ToString()));
  json::Put(members, "to", json::Text(terms.to.text()));
  TALLY_ASSIGN_OR_RETURN(payment.id, IdOf(std::move(members)));
  payment.recipe = Recipe::kPermit2;
  payment.slot = Permit2Slot(envelope.network, terms.owner, terms.nonce);
  payment.asset = terms.token.text();
  payment.payer = terms.owner.text();
  payment.pay_to = terms.to.text();
  payment.amount = terms.amount;
  payment.nonce = terms.nonce.ToString();
  if (const json::Value* witness = authorization->Find("witness"); witness != nullptr) {
    payment.valid_after = SecondsOf(*witness, "validAfter");
  }
  payment.valid_before = SecondsOf(*authorization, "deadline");
  return absl::OkStatus();
}

}  // namespace tally::x402

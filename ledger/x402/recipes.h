// Internal to x402: how a payload gives a settlement id, one recipe per transfer primitive.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/json/value.h"
#include "ledger/types/chain.h"
#include "ledger/types/ids.h"
#include "ledger/x402/documents.h"

namespace tally::x402 {

// Permit2 is deployed at one address on every chain (CREATE2).
inline constexpr absl::string_view kPermit2Contract = "0x000000000022d473030f116ddee9f6b43ac78ba3";

// The `v` of every recipe that is not the public one.
inline constexpr absl::string_view kOwnRecipe = "tallystick-settlement/1";

// What the recipes need of a payment, whichever version its envelope has.
struct Envelope {
  const json::Value& payload;
  std::string scheme;  // empty when the envelope names none
  std::string scheme_field;
  Network network;
  std::string network_field;
  std::optional<json::Value> asset;  // nullopt when neither envelope nor requirements name one
  std::string asset_field;
};

// Fills recipe, id, slot and the signed terms of `payment`. DOCUMENT_MALFORMED with condition when
// the payload gives no id.
absl::Status ApplyRecipe(const Envelope& envelope, Payment& payment);

// The recipes: `ApplyRecipe` chooses one by the shape of the payload.
absl::Status ReadEip3009(const Envelope& envelope, Payment& payment);
absl::Status ReadPermit2(const Envelope& envelope, Payment& payment);
absl::Status ReadErc7710(const Envelope& envelope, Payment& payment);
absl::Status ReadUnknownScheme(const Envelope& envelope, Payment& payment);

// "sha256:" and the digest of the RFC 8785 form of the recipe's members.
absl::StatusOr<SettlementId> IdOf(json::Object members);
// DOCUMENT_MALFORMED, condition network_not_eip155, on other chains.
absl::Status RequireEvm(const Envelope& envelope);

}  // namespace tally::x402

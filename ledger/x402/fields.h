// Internal to x402: members of a document read as typed values, or refused with field, seen, wanted
// and condition. Nothing is coerced.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/json/value.h"
#include "ledger/types/chain.h"
#include "ledger/types/uint256.h"

namespace tally::x402 {

// What stands there, in few words: scalars as written, "an object", "an array", "nothing".
std::string Seen(const json::Value* value);

// The member as an array, a null pointer when it is missing or something else.
const json::Array* ArrayAt(const json::Value& value, absl::string_view key);

// DOCUMENT_MALFORMED with metadata field, seen, wanted and condition.
absl::Status Malformed(absl::string_view field, const json::Value* value, absl::string_view wanted,
                       absl::string_view condition);

// `value` may be a null pointer: the member is missing. `field` is the dotted path.
absl::StatusOr<Address> RequireAddress(const json::Value* value, absl::string_view field,
                                       absl::string_view condition);
absl::StatusOr<Bytes32> RequireBytes32(const json::Value* value, absl::string_view field,
                                       absl::string_view condition);
// Conditions are `name` + "_not_canonical_decimal_string" and `name` + "_exceeds_uint256".
absl::StatusOr<Uint256> RequireUint256(const json::Value* value, absl::string_view field,
                                       absl::string_view name);

// An EVM address in lower case; anything else as written.
std::string LowerIfAddress(absl::string_view text);

// SHA-256 hex of the RFC 8785 form as JavaScript would write it; of the plain text where there is
// no such form (numbers beyond a double).
std::string DigestOf(const json::Value& value);

// The id of the payment-identifier extension, empty when none or off its pattern; the challenge id
// of the tallystick extension, empty when none or no challenge id. `document` holds `extensions`.
std::string PaymentIdentifierOf(const json::Value& document);
std::string ChallengeIdOf(const json::Value& document);

}  // namespace tally::x402

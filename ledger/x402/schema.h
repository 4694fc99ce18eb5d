// Internal to x402: members of an object held to the kinds of rule the zod schemas of @x402/core
// have.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ledger/json/value.h"

namespace tally::x402 {

enum class Rule {
  kString,          // any string
  kStringOptional,  // missing or a string
  kStringNullish,   // missing, null or a string
  kNonEmpty,        // a string of one character or more
  kNetworkV2,       // three characters or more, one of them a colon
  kPositive,        // a number above zero, whole or not
  kObjectNullish,   // missing, null or an object
  kLabelNullish,    // missing, null or 1 to 32 printable ASCII characters
  kLabelsNullish,   // missing, null or at most five such labels
  kIconUrlNullish,  // missing, null or a string of at most 2048 UTF-16 units
};

struct Field {
  absl::string_view key;
  Rule rule;
};

// What every refusal of the schema has as its condition: its field says the rest.
inline constexpr absl::string_view kSchemaCondition = "schema";

// DOCUMENT_MALFORMED with the first member of `value` that breaks its rule; `path` goes before its
// key.
absl::Status CheckFields(const json::Value& value, absl::string_view path,
                         absl::Span<const Field> fields);

}  // namespace tally::x402

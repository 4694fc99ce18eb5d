// Internal to x402: the id of a JSON-RPC frame.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ledger/json/value.h"

namespace tally::x402 {

// JSON text of the frame's id, type kept; numbers in the form JavaScript echoes them (2.0 is 2).
// FIELD_MALFORMED when it is missing or neither string nor number; null passes if
// `is_null_allowed`.
absl::StatusOr<std::string> ReadRequestId(const json::Value& frame, bool is_null_allowed);

}  // namespace tally::x402

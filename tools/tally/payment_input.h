// The payment in what a person has at hand: the payload itself, the body of a facilitator request,
// an MCP frame, or a line of a transcript.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/json/value.h"

namespace tally::cli {

struct PaymentInput {
  json::Value payment;  // for x402::ReadPayment
  std::string text;     // the same as JSON text; the input's own where it was the payment alone
};

// DOCUMENT_MALFORMED or LIMIT_EXCEEDED with field, seen and wanted.
absl::StatusOr<PaymentInput> FindPayment(absl::string_view text);

}  // namespace tally::cli

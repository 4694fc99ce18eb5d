// PaymentRequired: whether a shipped client would accept an object as a payable challenge, and its
// terms. Mirrors the whole schema of @x402/core 2.27.0 (conditions observed by running it, see the
// truth table in tests/testdata); JSON is read as JavaScript reads it.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/x402/documents.h"

namespace tally::x402 {

struct PaymentRequired {
  int version = 2;
  std::string error;
  std::string resource_url;
  std::vector<Requirements> accepts;
  std::string challenge_id;  // extensions["tallystick"].info.challengeId, empty when none
  std::string purchase_id;   // extensions["payment-identifier"].info.id, empty when none
};

// The challenge, or DOCUMENT_MALFORMED with the first refused field (metadata field, seen, wanted).
absl::StatusOr<PaymentRequired> ReadPaymentRequired(const json::Value& value);

// The terms as far as they can be read, without holding `value` to the schema: for doors whose
// client does not check it either (Cloudflare's reads `accepts` alone).
PaymentRequired TermsOf(const json::Value& value);

}  // namespace tally::x402

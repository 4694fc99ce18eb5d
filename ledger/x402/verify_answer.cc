#include <string>

#include "ledger/x402/documents.h"
#include "ledger/x402/fields.h"

namespace tally::x402 {

VerifyAnswer ReadVerifyAnswer(const json::Value* value) {
  VerifyAnswer out;
  if (value == nullptr || value->object() == nullptr) return out;
  if (const std::string* payer = value->FindString("payer"); payer != nullptr) {
    out.payer = LowerIfAddress(*payer);
  }
  if (const std::string* reason = value->FindString("invalidReason"); reason != nullptr) {
    out.reason = *reason;
    out.reason_class = ClassifyVerifyReason(*reason);
  }
  const json::Value* is_valid = value->Find("isValid");
  if (is_valid == nullptr || is_valid->boolean() == nullptr) return out;
  // "Valid" with a reason why not contradicts itself: no answer that can be read.
  if (*is_valid->boolean() && !out.reason.empty()) return out;
  out.is_valid = *is_valid->boolean();
  return out;
}

}  // namespace tally::x402

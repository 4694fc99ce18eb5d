#include <string>

#include "ledger/types/chain.h"
#include "ledger/types/uint256.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/fields.h"

namespace tally::x402 {
namespace {

std::string TextOf(const json::Value& value, absl::string_view key) {
  const std::string* text = value.FindString(key);
  return text == nullptr ? std::string() : *text;
}

// x402 specification V2, extra.paymentFlow; absent means authorization.
PaymentFlow FlowOf(const json::Value& value) {
  const json::Value* extra = value.Find("extra");
  const std::string* flow = extra == nullptr ? nullptr : extra->FindString("paymentFlow");
  if (flow == nullptr) return PaymentFlow::kAuthorization;
  if (*flow == "upfront") return PaymentFlow::kUpfront;
  if (*flow == "escrow") return PaymentFlow::kEscrow;
  return PaymentFlow::kAuthorization;
}

}  // namespace

Requirements ReadRequirements(const json::Value& value) {
  Requirements out;
  out.scheme = TextOf(value, "scheme");
  out.network = TextOf(value, "network");
  if (const auto network = Network::ParseOrAlias(out.network); network.ok()) {
    out.network = network->text();
  }
  out.asset = LowerIfAddress(TextOf(value, "asset"));
  out.pay_to = LowerIfAddress(TextOf(value, "payTo"));
  // V2 says amount, V1 maxAmountRequired.
  const bool is_v1 = value.Find("amount") == nullptr;
  const auto amount = Uint256::Parse(TextOf(value, is_v1 ? "maxAmountRequired" : "amount"));
  if (amount.ok()) out.amount = amount->ToString();
  const json::Value* timeout = value.Find("maxTimeoutSeconds");
  if (timeout != nullptr && timeout->number() != nullptr) {
    const std::int64_t seconds = timeout->number()->AsInteger().value_or(0);
    out.max_timeout_seconds = seconds > 0 ? seconds : 0;
  }
  out.flow = FlowOf(value);
  out.digest = DigestOf(value);
  return out;
}

}  // namespace tally::x402

#include "tools/tally/payment_input.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/x402/mcp.h"

namespace tally::cli {
namespace {

absl::Status NoPayment(absl::string_view field, absl::string_view seen) {
  constexpr absl::string_view kWanted =
      "a PaymentPayload, or a tools/call frame or facilitator request with one";
  return Error(Reason::kDocumentMalformed,
               absl::StrCat(field, ": saw ", seen, ", wanted ", kWanted))
      .With("field", field)
      .With("seen", seen)
      .With("wanted", kWanted);
}

// What the parser says, with the field that a person knows it by.
absl::Status NotJson(const absl::Status& status) {
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  if (metadata.count("field") != 0) return status;
  return Error(ReasonOf(status).value_or(Reason::kDocumentMalformed),
               absl::StrCat("payment: saw text that is not JSON (", status.message(),
                            "), wanted JSON"))
      .With("field", "payment")
      .With("seen", status.message())
      .With("wanted", "JSON");
}

// The payment of a tools/call, as an object.
absl::StatusOr<PaymentInput> FromFrame(const json::Value& frame) {
  x402::ToolCall call = x402::ReadToolCall(frame);
  if (call.payment.has_value() && call.payment_error.empty()) {
    std::string text = json::Write(*call.payment);
    return PaymentInput{*std::move(call.payment), std::move(text)};
  }
  return NoPayment("params._meta[\"x402/payment\"]",
                   call.payment_error.empty() ? "none" : absl::string_view(call.payment_error));
}

}  // namespace

absl::StatusOr<PaymentInput> FindPayment(absl::string_view text) {
  absl::StatusOr<json::Document> document = json::Parse(text);
  if (!document.ok()) return NotJson(document.status());
  json::Value& value = document->value;
  if (value.object() == nullptr) return NoPayment("payment", "JSON that is no object");
  const std::string* kind = value.FindString("kind");
  if (kind != nullptr && value.Find("v") != nullptr) {
    const json::Value* inner = value.Find(*kind == "mcp" ? "message" : "body");
    if (inner == nullptr || inner->object() == nullptr) {
      return NoPayment("line", absl::StrCat("a line of kind ", *kind));
    }
    if (*kind == "mcp") return FromFrame(*inner);
    return PaymentInput{*inner, json::Write(*inner)};
  }
  if (value.Find("jsonrpc") != nullptr || value.Find("method") != nullptr) return FromFrame(value);
  return PaymentInput{std::move(value), std::string(text)};
}

}  // namespace tally::cli

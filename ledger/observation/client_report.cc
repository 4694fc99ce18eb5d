#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

std::optional<bool> BooleanAt(const json::Value& report, absl::string_view key) {
  const json::Value* value = report.Find(key);
  if (value == nullptr || value->boolean() == nullptr) return std::nullopt;
  return *value->boolean();
}

// The call a report is about: named, or the latest paid one of its tool before it.
struct Found {
  std::optional<RememberedCall> paid;
  absl::string_view skipped;
};

absl::StatusOr<Found> FindReported(const Observation& observation, const ClientReport& report,
                                   Calls& calls) {
  if (report.request_id.empty()) {
    Calls::ToolCalls known =
        calls.FindToolCalls(observation.session, BoundedId(report.tool), observation.time);
    return Found{std::move(known.latest_paid), known.is_any_seen ? kNoPayment : kRequestNotSeen};
  }
  TALLY_ASSIGN_OR_RETURN(const std::string request_id,
                         ReadRequestId(report.request_id, "request_id"));
  TALLY_ASSIGN_OR_RETURN(std::optional<RememberedCall> call,
                         calls.FindCall(observation.session, Direction::kClientToServer, request_id,
                                        observation.time));
  if (!call.has_value()) return Found{std::nullopt, kRequestNotSeen};
  if (!call->paid_under.has_value()) return Found{std::nullopt, kNoPayment};
  return Found{std::move(call), ""};
}

}  // namespace

absl::StatusOr<Reading> ReadClientReport(const Observation& observation, const ClientReport& report,
                                         Calls& calls) {
  if (report.tool.empty()) return Missing("tool", "the name of the tool");
  TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseField("report", report.report));
  if (document.value.object() == nullptr) {
    return FieldError("report", report.report, "an object with isError, paymentMade and receipt");
  }
  TALLY_ASSIGN_OR_RETURN(const Found found, FindReported(observation, report, calls));
  if (!found.paid.has_value()) return Skipped(found.skipped);
  settlement::PurchaseBooked body;
  body.call = found.paid->call;
  body.tool = BoundedId(report.tool);
  body.is_error = BooleanAt(document.value, "isError");
  body.payment_made = BooleanAt(document.value, "paymentMade");
  const json::Value* receipt = document.value.Find("receipt");
  if (receipt != nullptr && !receipt->is_null()) {
    body.receipt = ReadingOf(x402::ReadSettleAnswer(receipt));
  }
  Reading out;
  out.events.push_back(
      EventOf(observation, *found.paid->paid_under, std::move(body), &report.report));
  return out;
}

}  // namespace tally::observation

#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

absl::StatusOr<std::optional<RememberedCall>> FindCallOf(const Observation& observation,
                                                         const TaskMark& mark, Calls& calls) {
  if (mark.request_id.empty()) return calls.FindTask(observation.session, mark.task_id);
  TALLY_ASSIGN_OR_RETURN(const std::string request_id,
                         ReadRequestId(mark.request_id, "request_id"));
  TALLY_ASSIGN_OR_RETURN(std::optional<RememberedCall> call,
                         calls.FindCall(observation.session, Direction::kClientToServer, request_id,
                                        observation.time));
  if (call.has_value()) calls.RememberTask(observation.session, mark.task_id, *call);
  return call;
}

absl::Status CheckStatus(const std::string& status) {
  constexpr absl::string_view kWanted = "working, input_required, completed, failed or cancelled";
  for (const absl::string_view known :
       {"working", "input_required", "completed", "failed", "cancelled"}) {
    if (status == known) return absl::OkStatus();
  }
  return status.empty() ? Missing("status", kWanted) : FieldError("status", status, kWanted);
}

}  // namespace

absl::StatusOr<Reading> ReadTaskMark(const Observation& observation, const TaskMark& mark,
                                     Calls& calls) {
  if (mark.task_id.empty()) return Missing("task_id", "the id of the MCP task");
  if (!mark.preflight.has_value()) TALLY_RETURN_IF_ERROR(CheckStatus(mark.status));
  TaskMark bounded = mark;
  bounded.task_id = BoundedId(mark.task_id);
  TALLY_ASSIGN_OR_RETURN(const std::optional<RememberedCall> call,
                         FindCallOf(observation, bounded, calls));
  if (!call.has_value()) return Skipped(kRequestNotSeen);
  // A call that was decided because its payment is missing has nothing else to be filed under.
  const bool is_filed = call->paid_under.has_value() || mark.preflight.has_value();
  if (!is_filed) return Skipped(kNoPayment);
  const settlement::Subject subject = call->paid_under.value_or(settlement::SubjectOf(call->call));
  Reading out;
  if (mark.preflight.has_value()) {
    settlement::PreflightResolved body{call->call, bounded.task_id, *mark.preflight};
    out.events.push_back(EventOf(observation, subject, std::move(body)));
  }
  if (!mark.status.empty() && call->paid_under.has_value()) {
    settlement::TaskStatusObserved body{call->call, bounded.task_id, mark.status};
    out.events.push_back(EventOf(observation, subject, std::move(body)));
  }
  return out;
}

absl::StatusOr<Reading> ReadResolutionMark(const Observation& observation,
                                           const ResolutionMark& mark) {
  SettlementId id;
  if (mark.settlement_id.empty() && mark.payment.empty()) {
    return Missing("settlement_id", "a settlement id, or the payment");
  }
  if (!mark.payment.empty()) {
    TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseField("payment", mark.payment));
    absl::StatusOr<x402::Payment> payment = x402::ReadPayment(document.value);
    if (!payment.ok()) return InField("payment", payment.status());
    id = payment->id;
  }
  if (!mark.settlement_id.empty()) {
    const absl::StatusOr<SettlementId> said = SettlementId::Parse(mark.settlement_id);
    if (!said.ok()) {
      return FieldError("settlement_id", mark.settlement_id,
                        "sha256: and 64 lower-case hex digits");
    }
    if (!id.is_empty() && *said != id) {
      return Error(Reason::kIdMismatch, "settlement_id is not the id that the payment gives")
          .With("field", "settlement_id")
          .With("seen", said->text())
          .With("wanted", id.text());
    }
    id = *said;
  }
  if (mark.reason.empty()) return Missing("reason", "a sentence for a person");
  if (mark.closes_version < 0) {
    return FieldError("closes_version", absl::StrCat(mark.closes_version),
                      "the version that is closed, from 1, or 0 for what is on file");
  }
  settlement::SettlementResolved body{mark.resolution, Cut(mark.reason, 1024), mark.closes_version};
  Reading out;
  out.events.push_back(EventOf(observation, settlement::SubjectOf(id), std::move(body)));
  return out;
}

}  // namespace tally::observation

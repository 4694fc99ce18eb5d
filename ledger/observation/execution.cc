#include <utility>
#include <variant>

#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

// What ran, and where it is filed.
struct Ran {
  CallId call;
  Resource resource;
  settlement::Subject subject;
};

// Filed under the payment of its call. Where the call does not give one, or was not recorded, the
// grant that the mark names does: a run that was claimed must not go unseen.
absl::StatusOr<std::variant<Ran, absl::string_view>> FindRan(const Observation& observation,
                                                             const ExecutionMark& mark,
                                                             Calls& calls) {
  TALLY_ASSIGN_OR_RETURN(const std::string request_id,
                         ReadRequestId(mark.request_id, "request_id"));
  TALLY_ASSIGN_OR_RETURN(const std::optional<RememberedCall> call,
                         calls.FindCall(observation.session, Direction::kClientToServer, request_id,
                                        observation.time));
  const bool is_paid = call.has_value() && call->paid_under.has_value();
  if (is_paid && call->paid_under->kind == settlement::SubjectKind::kSettlement) {
    return Ran{call->call, call->resource, *call->paid_under};
  }
  TALLY_ASSIGN_OR_RETURN(const std::optional<GrantedExecution> granted,
                         calls.FindExecution(BoundedId(mark.execution_id)));
  if (granted.has_value()) {
    return Ran{CallId{observation.session, request_id}, granted->resource, granted->subject};
  }
  if (is_paid) return Ran{call->call, call->resource, *call->paid_under};
  return call.has_value() ? kNoPayment : kRequestNotSeen;
}

}  // namespace

absl::StatusOr<Reading> ReadExecutionMark(const Observation& observation, const ExecutionMark& mark,
                                          Calls& calls) {
  if (mark.request_id.empty()) return Missing("request_id", "JSON text of the call's id");
  if (mark.is_finished && !mark.outcome.has_value()) {
    return Missing("outcome", "succeeded, tool_error, crashed or aborted");
  }
  TALLY_ASSIGN_OR_RETURN(auto found, FindRan(observation, mark, calls));
  if (const auto* why = std::get_if<absl::string_view>(&found)) return Skipped(*why);
  auto& [call, resource, subject] = std::get<Ran>(found);
  if (!mark.tool.empty()) resource.tool = BoundedId(mark.tool);
  Reading out;
  if (mark.is_finished) {
    settlement::ExecutionFinished body;
    body.call = std::move(call);
    body.execution_id = BoundedId(mark.execution_id);
    body.resource = std::move(resource);
    body.outcome = *mark.outcome;
    body.is_tool_idempotent = mark.is_tool_idempotent;
    out.events.push_back(EventOf(observation, std::move(subject), std::move(body)));
  } else {
    settlement::ExecutionStarted body;
    body.call = std::move(call);
    body.execution_id = BoundedId(mark.execution_id);
    body.resource = std::move(resource);
    body.lease_until = mark.lease_until;
    out.events.push_back(EventOf(observation, std::move(subject), std::move(body)));
  }
  return out;
}

}  // namespace tally::observation

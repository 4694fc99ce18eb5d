#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {

absl::StatusOr<Reading> ReadExecutionMark(const Observation& observation, const ExecutionMark& mark,
                                          Calls& calls) {
  if (mark.request_id.empty()) return Missing("request_id", "JSON text of the call's id");
  TALLY_ASSIGN_OR_RETURN(const std::string request_id,
                         ReadRequestId(mark.request_id, "request_id"));
  if (mark.is_finished && !mark.outcome.has_value()) {
    return Missing("outcome", "succeeded, tool_error, crashed or aborted");
  }
  TALLY_ASSIGN_OR_RETURN(const std::optional<RememberedCall> call,
                         calls.FindCall(observation.session, Direction::kClientToServer, request_id,
                                        observation.time));
  if (!call.has_value()) return Skipped(kRequestNotSeen);
  if (!call->paid_under.has_value()) return Skipped(kNoPayment);
  Resource resource = call->resource;
  if (!mark.tool.empty()) resource.tool = BoundedId(mark.tool);
  Reading out;
  if (mark.is_finished) {
    settlement::ExecutionFinished body;
    body.call = call->call;
    body.execution_id = BoundedId(mark.execution_id);
    body.resource = std::move(resource);
    body.outcome = *mark.outcome;
    body.is_tool_idempotent = mark.is_tool_idempotent;
    out.events.push_back(EventOf(observation, *call->paid_under, std::move(body)));
  } else {
    settlement::ExecutionStarted body;
    body.call = call->call;
    body.execution_id = BoundedId(mark.execution_id);
    body.resource = std::move(resource);
    body.lease_until = mark.lease_until;
    out.events.push_back(EventOf(observation, *call->paid_under, std::move(body)));
  }
  return out;
}

}  // namespace tally::observation

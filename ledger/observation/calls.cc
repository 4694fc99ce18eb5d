#include "ledger/observation/calls.h"

#include <algorithm>
#include <initializer_list>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"

namespace tally::observation {
namespace {

// Of one tool in one session: enough for reports that come late.
constexpr std::size_t kToolCallsMax = 64;

// Parts can hold any character, so each is preceded by its length.
std::string KeyOf(std::initializer_list<absl::string_view> parts) {
  std::string key;
  for (const absl::string_view part : parts) absl::StrAppend(&key, part.size(), ":", part);
  return key;
}

std::string CallKeyOf(absl::string_view session, Direction direction,
                      absl::string_view request_id) {
  return KeyOf({session, direction == Direction::kClientToServer ? "c" : "s", request_id});
}

}  // namespace

Direction Opposite(Direction direction) {
  return direction == Direction::kClientToServer ? Direction::kServerToClient
                                                 : Direction::kClientToServer;
}

Calls::Calls(Lookup* lookup, std::size_t entries_max)
    : lookup_(lookup),
      calls_(entries_max),
      tools_(entries_max / 4 + 1),
      tasks_(entries_max),
      exchanges_(entries_max),
      offers_(entries_max / 4 + 1) {}

void Calls::RememberCall(Direction direction, absl::string_view request_id, RememberedCall call) {
  const std::string& session = call.call.session;
  const bool is_own = call.call.request_id == request_id;
  if (call.is_tool_call && is_own && direction == Direction::kClientToServer) {
    const std::string key = KeyOf({session, call.resource.tool});
    std::vector<RememberedCall>* known = tools_.Find(key);
    if (known == nullptr) known = &tools_.Put(key, {});
    if (known->size() >= kToolCallsMax) known->erase(known->begin());
    known->push_back(call);
  }
  const std::string key = CallKeyOf(session, direction, request_id);
  calls_.Put(key, std::move(call));
}

absl::StatusOr<std::optional<RememberedCall>> Calls::FindCall(absl::string_view session,
                                                              Direction direction,
                                                              absl::string_view request_id,
                                                              absl::Time time) {
  const RememberedCall* known = calls_.Find(CallKeyOf(session, direction, request_id));
  if (known != nullptr) return std::optional(*known);
  if (lookup_ == nullptr || direction != Direction::kClientToServer) {
    return std::optional<RememberedCall>();
  }
  return lookup_->FindPaidCall(CallId{std::string(session), std::string(request_id)}, time);
}

Calls::ToolCalls Calls::FindToolCalls(absl::string_view session, absl::string_view tool,
                                      absl::Time time) {
  ToolCalls out;
  const std::vector<RememberedCall>* known = tools_.Find(KeyOf({session, tool}));
  if (known == nullptr) return out;
  for (const RememberedCall& call : *known) {
    if (call.time > time) continue;
    out.is_any_seen = true;
    if (!call.paid_under.has_value()) continue;
    if (!out.latest_paid.has_value() || call.time >= out.latest_paid->time) out.latest_paid = call;
  }
  return out;
}

void Calls::RememberTask(absl::string_view session, absl::string_view task_id,
                         RememberedCall call) {
  tasks_.Put(KeyOf({session, task_id}), std::move(call));
}

std::optional<RememberedCall> Calls::FindTask(absl::string_view session,
                                              absl::string_view task_id) {
  const RememberedCall* known = tasks_.Find(KeyOf({session, task_id}));
  return known == nullptr ? std::nullopt : std::optional(*known);
}

void Calls::RememberExchange(absl::string_view session, absl::string_view exchange,
                             RememberedExchange remembered) {
  exchanges_.Put(KeyOf({session, exchange}), std::move(remembered));
}

absl::StatusOr<std::optional<RememberedExchange>> Calls::FindExchange(absl::string_view session,
                                                                      absl::string_view exchange) {
  const RememberedExchange* known = exchanges_.Find(KeyOf({session, exchange}));
  if (known != nullptr) return std::optional(*known);
  if (lookup_ == nullptr) return std::optional<RememberedExchange>();
  return lookup_->FindExchange(session, exchange);
}

absl::StatusOr<std::optional<GrantedExecution>> Calls::FindExecution(
    absl::string_view execution_id) {
  if (lookup_ == nullptr || execution_id.empty()) return std::optional<GrantedExecution>();
  return lookup_->FindExecution(execution_id);
}

void Calls::RememberOffers(absl::string_view session, const Resource& resource,
                           std::vector<x402::Requirements> offers) {
  offers_.Put(KeyOf({session, resource.endpoint, resource.tool}), std::move(offers));
}

std::vector<x402::Requirements> Calls::FindOffers(absl::string_view session,
                                                  const Resource& resource) {
  const auto* known = offers_.Find(KeyOf({session, resource.endpoint, resource.tool}));
  return known == nullptr ? std::vector<x402::Requirements>() : *known;
}

}  // namespace tally::observation

#include "ledger/service/store_lookup.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"

namespace tally::service {
namespace {

// Names of calls and exchanges are unique in their session; a reused one hits few subjects.
constexpr std::size_t kSubjectsMax = 100;

using observation::GrantedExecution;
using observation::RememberedCall;
using observation::RememberedExchange;
using settlement::AliasKind;
using settlement::RecordedEvent;
using settlement::Subject;

RememberedExchange ExchangeOf(const Subject& subject, const settlement::SettlementRequested& body) {
  RememberedExchange out;
  out.kind = observation::ExchangeKind::kSettle;
  out.subject = subject;
  out.facilitator = body.facilitator;
  out.phase = body.phase;
  if (body.requirements.has_value()) out.flow = body.requirements->flow;
  out.terms = body.terms;
  out.payload_digest = body.payload_digest;
  return out;
}

}  // namespace

absl::StatusOr<std::optional<RememberedCall>> StoreLookup::FindPaidCall(const CallId& call,
                                                                        absl::Time time) {
  std::optional<RememberedCall> latest;
  TALLY_ASSIGN_OR_RETURN(
      const std::vector<Subject> subjects,
      store_.Find(ledger_, {AliasKind::kCall, settlement::CallKey(call)}, kSubjectsMax));
  for (const Subject& subject : subjects) {
    TALLY_ASSIGN_OR_RETURN(const std::vector<RecordedEvent> history,
                           store_.History(ledger_, subject));
    for (const RecordedEvent& recorded : history) {
      const auto* body = std::get_if<settlement::PaymentPresented>(&recorded.event.body);
      const absl::Time at = recorded.event.occurred_time;
      if (body == nullptr || body->call != call || at > time) continue;
      if (latest.has_value() && latest->time >= at) continue;
      latest = RememberedCall{call, body->resource, body->arguments_sha256, subject, true, at};
    }
  }
  return latest;
}

absl::StatusOr<std::optional<RememberedExchange>> StoreLookup::FindExchange(
    absl::string_view session, absl::string_view exchange) {
  TALLY_ASSIGN_OR_RETURN(
      const std::vector<Subject> subjects,
      store_.Find(ledger_, {AliasKind::kExchange, absl::StrCat(session, " ", exchange)},
                  kSubjectsMax));
  for (const Subject& subject : subjects) {
    TALLY_ASSIGN_OR_RETURN(const std::vector<RecordedEvent> history,
                           store_.History(ledger_, subject));
    for (const RecordedEvent& recorded : history) {
      const auto* body = std::get_if<settlement::SettlementRequested>(&recorded.event.body);
      if (body == nullptr || body->session != session || body->exchange != exchange) continue;
      return std::optional(ExchangeOf(subject, *body));
    }
  }
  return std::optional<RememberedExchange>();
}

absl::StatusOr<std::optional<GrantedExecution>> StoreLookup::FindExecution(
    absl::string_view execution_id) {
  TALLY_ASSIGN_OR_RETURN(
      const std::vector<Subject> subjects,
      store_.Find(ledger_, {AliasKind::kExecution, std::string(execution_id)}, kSubjectsMax));
  for (const Subject& subject : subjects) {
    TALLY_ASSIGN_OR_RETURN(const std::vector<RecordedEvent> history,
                           store_.History(ledger_, subject));
    for (const RecordedEvent& recorded : history) {
      const auto* body = std::get_if<settlement::ExecutionClaimed>(&recorded.event.body);
      if (body == nullptr || body->execution_id != execution_id) continue;
      return std::optional(GrantedExecution{subject, body->resource});
    }
  }
  return std::optional<GrantedExecution>();
}

}  // namespace tally::service

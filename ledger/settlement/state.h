// The evidence on file for one subject. Evolve() files an event; nothing is inferred here, so the
// order of arrival can't matter: every list is kept in order of occurrence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ledger/settlement/event.h"

namespace tally::settlement {

// Who said it and when, without the body.
struct Stamp {
  std::string event_id;
  std::int64_t position = 0;
  std::int64_t version = 0;
  absl::Time occurred;
  absl::Time recorded;
  Observes observes;
  SourceKind source = SourceKind::kApi;
  std::string recorder;
};

template <typename T>
struct Evidence {
  Stamp stamp;
  T body;
};
template <typename T>
using File = std::vector<Evidence<T>>;  // by occurred time, then event id

struct State {
  Subject subject;
  std::int64_t version = 0;  // of the latest event filed
  File<ChallengeIssued> challenges;
  File<PaymentPresented> presentations;
  File<VerificationCompleted> verifications;
  File<PreflightResolved> preflights;
  File<ExecutionClaimed> claims;
  File<ExecutionStarted> starts;
  File<ExecutionFinished> finishes;
  File<SettlementRequested> settle_requests;
  File<SettlementAnswered> settle_answers;
  File<PaymentReleased> releases;
  File<ChainObserved> chain;
  File<ResponseDelivered> deliveries;
  File<PurchaseBooked> bookings;
  File<TaskStatusObserved> tasks;
  File<RemedyRequested> remedies;
  File<SettlementResolved> resolutions;
};

// Files one event. Filing the same event twice changes nothing.
void Evolve(State& state, const RecordedEvent& event);

// The state of events that all belong to `subject`.
State Fold(const Subject& subject, const std::vector<RecordedEvent>& events);

}  // namespace tally::settlement

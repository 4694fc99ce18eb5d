#include "ledger/settlement/state.h"

#include <algorithm>
#include <tuple>

namespace tally::settlement {
namespace {

template <typename T>
void FileUnder(File<T>& file, const Stamp& stamp, const T& body) {
  const auto key = [](const Stamp& s) { return std::tie(s.occurred, s.event_id); };
  const auto place =
      std::lower_bound(file.begin(), file.end(), stamp,
                       [&](const Evidence<T>& a, const Stamp& b) { return key(a.stamp) < key(b); });
  if (place != file.end() && key(place->stamp) == key(stamp)) return;
  file.insert(place, Evidence<T>{stamp, body});
}

// One file per body type; the compiler says when one is missing.
struct Filing {
  State& state;
  const Stamp& stamp;

  void operator()(const ChallengeIssued& b) const { FileUnder(state.challenges, stamp, b); }
  void operator()(const PaymentPresented& b) const { FileUnder(state.presentations, stamp, b); }
  void operator()(const VerificationCompleted& b) const {
    FileUnder(state.verifications, stamp, b);
  }
  void operator()(const PreflightResolved& b) const { FileUnder(state.preflights, stamp, b); }
  void operator()(const ExecutionClaimed& b) const { FileUnder(state.claims, stamp, b); }
  void operator()(const ExecutionStarted& b) const { FileUnder(state.starts, stamp, b); }
  void operator()(const ExecutionFinished& b) const { FileUnder(state.finishes, stamp, b); }
  void operator()(const SettlementRequested& b) const {
    FileUnder(state.settle_requests, stamp, b);
  }
  void operator()(const SettlementAnswered& b) const { FileUnder(state.settle_answers, stamp, b); }
  void operator()(const PaymentReleased& b) const { FileUnder(state.releases, stamp, b); }
  void operator()(const ChainObserved& b) const { FileUnder(state.chain, stamp, b); }
  void operator()(const ResponseDelivered& b) const { FileUnder(state.deliveries, stamp, b); }
  void operator()(const PurchaseBooked& b) const { FileUnder(state.bookings, stamp, b); }
  void operator()(const TaskStatusObserved& b) const { FileUnder(state.tasks, stamp, b); }
  void operator()(const RemedyRequested& b) const { FileUnder(state.remedies, stamp, b); }
  void operator()(const SettlementResolved& b) const { FileUnder(state.resolutions, stamp, b); }
};

}  // namespace

void Evolve(State& state, const RecordedEvent& recorded) {
  const Event& event = recorded.event;
  state.version = std::max(state.version, recorded.version);
  const Stamp stamp{event.event_id,      recorded.position,      recorded.version,
                    event.occurred_time, recorded.recorded_time, event.observes,
                    event.source,        event.recorder};
  std::visit(Filing{state, stamp}, event.body);
}

State Fold(const Subject& subject, const std::vector<RecordedEvent>& events) {
  State state;
  state.subject = subject;
  for (const RecordedEvent& event : events) Evolve(state, event);
  return state;
}

}  // namespace tally::settlement

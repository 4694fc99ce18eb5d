// Keeps the projections true, event by event: aliases, challenge links, summaries. Knows no storage: an
// Index does, and rebuild uses the same code on an empty one.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "ledger/store/event_store.h"

namespace tally::store {

// The projections of one ledger, inside one write.
class Index {
 public:
  virtual ~Index() = default;
  virtual settlement::LedgerRole role() const = 0;
  // The state with every event of this write that was filed so far.
  virtual absl::StatusOr<const settlement::State*> Load(const settlement::Subject& subject) = 0;
  // Subjects under an alias, at most `limit`, those first filed under it last.
  virtual absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                                std::size_t limit) = 0;
  virtual absl::Status PutAlias(const settlement::Alias& alias, const settlement::Subject& subject) = 0;
  virtual absl::Status RemoveAlias(const settlement::Alias& alias,
                                   const settlement::Subject& subject) = 0;
  virtual absl::Status PutSummary(const Summary& summary) = 0;
};

// To be called for each event in order of position, after the Index can Load() its state with the event
// filed. The projections do not depend on the order of arrival.
absl::Status Project(Index& index, const settlement::RecordedEvent& event);

// What else bears on a subject's answer, loaded through `find` and `load`; shared by Project and by reads.
struct Neighbourhood {
  std::vector<settlement::State> states;      // owned
  settlement::Surroundings surroundings;      // points into states
};

}  // namespace tally::store

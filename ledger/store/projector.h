// Keeps the projections true, event by event: aliases, challenge links, summaries. Knows no
// storage: an Index does, and rebuild uses the same code on an empty one. What comes out does not
// depend on the order in which the events arrived.
#pragma once

#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ledger/store/event_store.h"

namespace tally::store {

// How many challenges of its scope, latest first, a presentation without an echo is held against.
inline constexpr std::size_t kChallengeCandidatesMax = 8;
// How many presentations a late challenge can reach.
inline constexpr std::size_t kLatePresentationsMax = 128;

// The projections of one ledger, inside one write.
//
// Aliases of kind kScope are filed with the time of their event, challenges apart from
// presentations, so that the two can meet by time; all other kinds are filed once a subject.
class Index {
 public:
  virtual ~Index() = default;
  virtual settlement::LedgerRole role() const = 0;
  // The state with every event of this write that was filed so far; an empty one when there is
  // none. Stays valid until the end of the write; a later event of the subject shows in it.
  virtual absl::StatusOr<const settlement::State*> Load(const settlement::Subject& subject) = 0;
  // Distinct subjects under an alias, at most `limit`, those first seen last.
  virtual absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                                std::size_t limit) = 0;
  // Challenges of a scope issued at `at` or before, latest first.
  virtual absl::StatusOr<std::vector<settlement::Subject>> FindChallengesUpTo(
      absl::string_view scope, absl::Time at, std::size_t limit) = 0;
  // Subjects with a presentation of a scope at `at` or after, earliest first.
  virtual absl::StatusOr<std::vector<settlement::Subject>> FindPresentedSince(
      absl::string_view scope, absl::Time at, std::size_t limit) = 0;
  // Filing the same twice changes nothing.
  virtual absl::Status PutAlias(const settlement::Alias& alias, const settlement::Subject& subject,
                                absl::Time at) = 0;
  virtual absl::Status RemoveAlias(const settlement::Alias& alias,
                                   const settlement::Subject& subject) = 0;
  virtual absl::Status PutSummary(const Summary& summary) = 0;
};

// Subjects whose summary may have changed, each with the recorded time of the event that did it.
using StaleSummaries = std::map<settlement::Subject, absl::Time>;

// To be called for each event in order of position, after the Index can Load() its state with the
// event filed. Adds to `stale`.
absl::Status Project(Index& index, const settlement::RecordedEvent& event, StaleSummaries& stale);
// Brings the summaries up to date and empties `stale`. Once after many events gives the same
// summaries as once after each.
absl::Status Summarise(Index& index, StaleSummaries& stale);

}  // namespace tally::store

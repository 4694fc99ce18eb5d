// The projections of one ledger in memory: what the memory store keeps, and what a rebuild compares
// with.
#pragma once

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "ledger/store/projector.h"

namespace tally::store {

// Not thread-safe.
class MemoryIndex final : public Index {
 public:
  // Of a subject under an alias. Ordered as Find() answers: by time where time counts, then by
  // first sight.
  struct Filed {
    bool is_challenge = false;  // only where time counts
    absl::Time at = absl::InfinitePast();
    std::int64_t seen = 0;  // how many subjects were seen before, and this one
    settlement::Subject subject;
    friend bool operator==(const Filed&, const Filed&) = default;
    friend bool operator<(const Filed& a, const Filed& b) {
      return std::tie(a.is_challenge, a.at, a.seen, a.subject) <
             std::tie(b.is_challenge, b.at, b.seen, b.subject);
    }
  };

  explicit MemoryIndex(settlement::LedgerRole role) : role_(role) {}

  // Files the event under its subject; to be followed by Project().
  void Evolve(const settlement::RecordedEvent& event);

  settlement::LedgerRole role() const override { return role_; }
  absl::StatusOr<const settlement::State*> Load(const settlement::Subject& subject) override;
  absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                        std::size_t limit) override;
  absl::StatusOr<std::vector<settlement::Subject>> FindChallengesUpTo(absl::string_view scope,
                                                                      absl::Time at,
                                                                      std::size_t limit) override;
  absl::StatusOr<std::vector<settlement::Subject>> FindPresentedSince(absl::string_view scope,
                                                                      absl::Time at,
                                                                      std::size_t limit) override;
  absl::Status PutAlias(const settlement::Alias& alias, const settlement::Subject& subject,
                        absl::Time at) override;
  absl::Status RemoveAlias(const settlement::Alias& alias,
                           const settlement::Subject& subject) override;
  absl::Status PutSummary(const Summary& summary) override;

  const std::map<settlement::Alias, std::set<Filed>>& aliases() const { return aliases_; }
  const std::map<settlement::Subject, Summary>& summaries() const { return summaries_; }
  std::size_t subject_count() const { return seen_.size(); }
  std::size_t alias_count() const;

 private:
  Filed FiledOf(const settlement::Alias& alias, const settlement::Subject& subject,
                absl::Time at) const;

  settlement::LedgerRole role_;
  std::map<settlement::Subject, settlement::State> states_;
  std::map<settlement::Subject, std::int64_t> seen_;
  std::map<settlement::Alias, std::set<Filed>> aliases_;
  std::map<settlement::Subject, Summary> summaries_;
};

// Whether aliases of this kind are filed with their time.
inline bool IsTimed(settlement::AliasKind kind) { return kind == settlement::AliasKind::kScope; }

}  // namespace tally::store

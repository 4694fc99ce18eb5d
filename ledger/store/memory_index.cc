#include "ledger/store/memory_index.h"

#include <algorithm>

namespace tally::store {

using settlement::Alias;
using settlement::AliasKind;
using settlement::State;
using settlement::Subject;
using settlement::SubjectKind;

namespace {

// Adds while there is room and it is not there yet.
void AddDistinct(std::vector<Subject>& out, const Subject& subject, std::size_t limit) {
  if (out.size() >= limit) return;
  if (std::find(out.begin(), out.end(), subject) == out.end()) out.push_back(subject);
}

}  // namespace

void MemoryIndex::Evolve(const settlement::RecordedEvent& event) {
  const Subject& subject = event.event.subject;
  seen_.try_emplace(subject, static_cast<std::int64_t>(seen_.size()) + 1);
  State& state = states_[subject];
  state.subject = subject;
  settlement::Evolve(state, event);
}

absl::StatusOr<const State*> MemoryIndex::Load(const Subject& subject) {
  State& state = states_[subject];
  state.subject = subject;
  return &state;
}

MemoryIndex::Filed MemoryIndex::FiledOf(const Alias& alias, const Subject& subject,
                                        absl::Time at) const {
  const auto seen = seen_.find(subject);
  Filed filed{false, absl::InfinitePast(), seen == seen_.end() ? 0 : seen->second, subject};
  if (IsTimed(alias.kind)) {
    filed.is_challenge = subject.kind == SubjectKind::kChallenge;
    filed.at = at;
  }
  return filed;
}

absl::StatusOr<std::vector<Subject>> MemoryIndex::Find(const Alias& alias, std::size_t limit) {
  std::vector<Subject> found;
  const auto under = aliases_.find(alias);
  if (under == aliases_.end()) return found;
  for (const Filed& filed : under->second) {
    if (found.size() >= limit) break;
    AddDistinct(found, filed.subject, limit);
  }
  return found;
}

absl::StatusOr<std::vector<Subject>> MemoryIndex::FindChallengesUpTo(absl::string_view scope,
                                                                     absl::Time at,
                                                                     std::size_t limit) {
  std::vector<Subject> found;
  const auto under = aliases_.find({AliasKind::kScope, std::string(scope)});
  if (under == aliases_.end()) return found;
  const std::set<Filed>& all = under->second;
  auto past = all.upper_bound({true, at + absl::Microseconds(1), 0, {}});
  for (std::size_t rows = 0; past != all.begin() && rows < limit; ++rows) {
    --past;
    if (!past->is_challenge) break;
    AddDistinct(found, past->subject, limit);
  }
  return found;
}

absl::StatusOr<std::vector<Subject>> MemoryIndex::FindPresentedSince(absl::string_view scope,
                                                                     absl::Time at,
                                                                     std::size_t limit) {
  std::vector<Subject> found;
  const auto under = aliases_.find({AliasKind::kScope, std::string(scope)});
  if (under == aliases_.end()) return found;
  const std::set<Filed>& all = under->second;
  auto next = all.lower_bound({false, at, 0, {}});
  for (std::size_t rows = 0; next != all.end() && !next->is_challenge && rows < limit; ++rows) {
    AddDistinct(found, next->subject, limit);
    ++next;
  }
  return found;
}

std::size_t MemoryIndex::alias_count() const {
  std::size_t count = 0;
  for (const auto& [alias, filed] : aliases_) count += filed.size();
  return count;
}

absl::Status MemoryIndex::PutAlias(const Alias& alias, const Subject& subject, absl::Time at) {
  aliases_[alias].insert(FiledOf(alias, subject, at));
  return absl::OkStatus();
}

absl::Status MemoryIndex::RemoveAlias(const Alias& alias, const Subject& subject) {
  const auto under = aliases_.find(alias);
  if (under == aliases_.end()) return absl::OkStatus();
  std::erase_if(under->second, [&](const Filed& filed) { return filed.subject == subject; });
  if (under->second.empty()) aliases_.erase(under);
  return absl::OkStatus();
}

absl::Status MemoryIndex::PutSummary(const Summary& summary) {
  summaries_[summary.subject] = summary;
  return absl::OkStatus();
}

}  // namespace tally::store

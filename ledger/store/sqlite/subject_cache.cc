#include "ledger/store/sqlite/subject_cache.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/sqlite_index.h"

namespace tally::store::sqlite {
namespace {

constexpr std::size_t kSubjectsMax = 4096;

std::string KeyOf(std::int64_t ledger_no, const settlement::Subject& subject) {
  return absl::StrCat(ledger_no, " ", static_cast<int>(subject.kind), " ", subject.key);
}

}  // namespace

absl::StatusOr<SubjectCache::Entry*> SubjectCache::Load(std::int64_t ledger_no,
                                                        const settlement::Subject& subject) {
  // Most events ask for the same subject many times over.
  if (!entries_.empty() && entries_.front().ledger_no == ledger_no &&
      entries_.front().state.subject == subject) {
    return &entries_.front();
  }
  std::string key = KeyOf(ledger_no, subject);
  const auto place = places_.find(key);
  if (place != places_.end()) {
    entries_.splice(entries_.begin(), entries_, place->second);
    return &entries_.front();
  }
  Entry entry;
  entry.ledger_no = ledger_no;
  entry.subject_no = FindSubjectNo(connection_, ledger_no, subject);
  entry.state.subject = subject;
  if (entry.subject_no != 0) {
    TALLY_ASSIGN_OR_RETURN(const auto events, ReadSubject(connection_, entry.subject_no, subject));
    entry.state = settlement::Fold(subject, events);
  }
  entries_.push_front(std::move(entry));
  places_.emplace(std::move(key), entries_.begin());
  return &entries_.front();
}

void SubjectCache::Number(Entry& entry) {
  if (entry.subject_no != 0) return;
  if (last_subject_no_ == 0) {
    Query last(connection_, "SELECT ifnull(max(subject_no), 0) FROM subjects");
    last.Next();
    last_subject_no_ = last.Int(0);
  }
  const settlement::Subject& subject = entry.state.subject;
  WriteSubject(connection_, last_subject_no_ + 1, entry.ledger_no, subject);
  entry.subject_no = ++last_subject_no_;
}

void SubjectCache::Trim() {
  while (entries_.size() > kSubjectsMax) {
    places_.erase(KeyOf(entries_.back().ledger_no, entries_.back().state.subject));
    entries_.pop_back();
  }
}

void SubjectCache::Clear() {
  places_.clear();
  entries_.clear();
  last_subject_no_ = 0;
}

}  // namespace tally::store::sqlite

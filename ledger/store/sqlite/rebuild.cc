#include "ledger/store/sqlite/rebuild.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/memory_index.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/rows.h"
#include "ledger/store/sqlite/sqlite_index.h"

namespace tally::store::sqlite {
namespace {

using settlement::Subject;

constexpr std::size_t kDifferencesMax = 100;

constexpr char kEventsSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE ledger_no = ? ORDER BY position";
constexpr char kSubjectsSql[] =
    "SELECT subject_no, kind, key, first_us, last_us, label, fresh_until_us, payer, tool, is_listed"
    " FROM subjects WHERE ledger_no = ?";
constexpr char kAliasesSql[] =
    "SELECT alias_key, side, at_us, subject_no FROM aliases WHERE ledger_no = ?";

// Rows in words, so that they can be compared and shown.
std::string TextOf(std::int64_t subject_no, const Subject& subject) {
  return absl::StrCat("subject ", subject_no, " ", static_cast<int>(subject.kind), " ",
                      subject.key);
}

std::string TextOf(const Summary& s) {
  return absl::StrCat(ToMicros(s.first_time), " ", ToMicros(s.last_time), " ",
                      settlement::NameOf(s.label), " ", ToMicros(s.fresh_until), " ", s.payer, " ",
                      s.tool, " ", s.is_listed ? 1 : 0);
}

std::string AliasText(const std::string& alias_key, std::int64_t side, std::int64_t at_us,
                      std::int64_t subject_no) {
  return absl::StrCat("alias ", absl::BytesToHexString(alias_key), " ", side, " ", at_us,
                      " of subject ", subject_no);
}

class LedgerRebuild {
 public:
  LedgerRebuild(Connection& connection, const LedgerRow& ledger, RebuildReport& report)
      : connection_(connection), ledger_(ledger), report_(report), index_(ledger.ledger.role) {}

  absl::Status Project() {
    StaleSummaries stale;
    std::int64_t position = 0;
    Query rows(connection_, kEventsSql, ledger_.ledger_no);
    while (rows.Next()) {
      const EventRow row = ReadEventRow(rows);
      TALLY_ASSIGN_OR_RETURN(const settlement::RecordedEvent event, Decode(row));
      TALLY_RETURN_IF_ERROR(CheckPlace(row, event, ++position));
      index_.Evolve(event);
      TALLY_RETURN_IF_ERROR(store::Project(index_, event, stale));
    }
    TALLY_RETURN_IF_ERROR(Summarise(index_, stale));
    report_.events += position;
    report_.subjects += static_cast<std::int64_t>(numbers_.size());
    report_.aliases += static_cast<std::int64_t>(index_.alias_count());
    return absl::OkStatus();
  }

  void Compare() {
    std::set<std::string> wanted;
    for (const auto& [subject, numbered] : numbers_) {
      wanted.insert(SubjectText(numbered.subject_no, subject));
    }
    ForEachAlias([&](const settlement::Alias& alias, const MemoryIndex::Filed& filed) {
      wanted.insert(AliasText(AliasKey(alias), filed.is_challenge ? 1 : 0,
                              IsTimed(alias.kind) ? ToMicros(filed.at) : 0,
                              numbers_.at(filed.subject).subject_no));
    });
    CompareSubjects(wanted);
    CompareAliases(wanted);
    for (const std::string& text : wanted) Differ("not on file: ", text);
  }

  void Replace() {
    Query(connection_, "DELETE FROM aliases WHERE ledger_no = ?", ledger_.ledger_no).Run();
    Query(connection_, "DELETE FROM subjects WHERE ledger_no = ?", ledger_.ledger_no).Run();
    for (const auto& [subject, numbered] : numbers_) {
      WriteSubject(connection_, numbered.subject_no, ledger_.ledger_no, subject);
    }
    for (const auto& [subject, summary] : index_.summaries()) {
      WriteSummary(connection_, numbers_.at(subject).subject_no, summary);
    }
    ForEachAlias([&](const settlement::Alias& alias, const MemoryIndex::Filed& filed) {
      WriteAlias(connection_, ledger_.ledger_no, alias, filed.is_challenge, filed.at,
                 numbers_.at(filed.subject).subject_no);
    });
  }

 private:
  struct Numbered {
    std::int64_t subject_no = 0;
    std::int64_t version = 0;
  };

  // The order of the log, and of each subject in it, is part of the truth.
  absl::Status CheckPlace(const EventRow& row, const settlement::RecordedEvent& event,
                          std::int64_t position) {
    Numbered& numbered = numbers_[event.event.subject];
    if (numbered.subject_no == 0) numbered.subject_no = SubjectNoOf(row.event_no);
    if (row.position == position && event.version == ++numbered.version &&
        SubjectNoOf(row.event_no) == numbered.subject_no) {
      return absl::OkStatus();
    }
    return Error(Reason::kDataLoss, absl::StrCat("ledger ", ledger_.ledger.name, ": position ",
                                                 position, " does not follow the events before it"))
        .With("position", absl::StrCat(position));
  }

  template <typename Visit>
  void ForEachAlias(Visit visit) const {
    for (const auto& [alias, under] : index_.aliases()) {
      for (const MemoryIndex::Filed& filed : under) visit(alias, filed);
    }
  }

  std::string SubjectText(std::int64_t subject_no, const Subject& subject) const {
    const auto summary = index_.summaries().find(subject);
    return TextOf(subject_no, subject) + ": " +
           (summary == index_.summaries().end() ? "" : TextOf(summary->second));
  }

  void CompareSubjects(std::set<std::string>& wanted) {
    Query rows(connection_, kSubjectsSql, ledger_.ledger_no);
    while (rows.Next()) {
      std::string text = TextOf(rows.Int(0), ReadSubjectColumns(rows, 1)) + ": ";
      if (!rows.IsNull(3)) {
        absl::StrAppend(&text, rows.Int(3), " ", rows.Int(4), " ", rows.Text(5), " ", rows.Int(6),
                        " ", rows.Text(7), " ", rows.Text(8), " ", rows.Int(9));
      }
      if (wanted.erase(text) == 0) Differ("on file only: ", text);
    }
  }

  void CompareAliases(std::set<std::string>& wanted) {
    Query rows(connection_, kAliasesSql, ledger_.ledger_no);
    while (rows.Next()) {
      const std::string text = AliasText(rows.Text(0), rows.Int(1), rows.Int(2), rows.Int(3));
      if (wanted.erase(text) == 0) Differ("on file only: ", text);
    }
  }

  void Differ(absl::string_view what, const std::string& text) {
    if (report_.differences.size() >= kDifferencesMax) return;
    report_.differences.push_back(absl::StrCat(ledger_.ledger.name, ": ", what, text));
  }

  Connection& connection_;
  const LedgerRow& ledger_;
  RebuildReport& report_;
  MemoryIndex index_;
  std::map<Subject, Numbered> numbers_;
};

}  // namespace

absl::StatusOr<RebuildReport> Rebuild(Connection& connection, bool replace) {
  RebuildReport report;
  TALLY_ASSIGN_OR_RETURN(const std::vector<LedgerRow> ledgers, ReadLedgers(connection));
  for (const LedgerRow& ledger : ledgers) {
    LedgerRebuild rebuild(connection, ledger, report);
    TALLY_RETURN_IF_ERROR(rebuild.Project());
    rebuild.Compare();
    if (replace) rebuild.Replace();
  }
  return report;
}

}  // namespace tally::store::sqlite

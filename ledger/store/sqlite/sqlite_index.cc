#include "ledger/store/sqlite/sqlite_index.h"

#include <algorithm>

#include "ledger/base/status_macros.h"
#include "ledger/settlement/names.h"
#include "ledger/store/memory_index.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {

using settlement::Alias;
using settlement::AliasKind;
using settlement::Subject;
using settlement::SubjectKind;

namespace {

constexpr std::size_t kKnownAliasesMax = 32;

constexpr char kChallengesSql[] =
    "SELECT s.kind, s.key FROM aliases a JOIN subjects s ON s.subject_no = a.subject_no"
    " WHERE a.ledger_no = ? AND a.alias_key = ? AND a.side = 1 AND a.at_us <= ?"
    " ORDER BY a.at_us DESC, a.subject_no DESC LIMIT ?";
constexpr char kPresentedSql[] =
    "SELECT s.kind, s.key FROM aliases a JOIN subjects s ON s.subject_no = a.subject_no"
    " WHERE a.ledger_no = ? AND a.alias_key = ? AND a.side = 0 AND a.at_us >= ?"
    " ORDER BY a.at_us, a.subject_no LIMIT ?";
constexpr char kPutSubjectSql[] =
    "INSERT INTO subjects (subject_no, ledger_no, kind, key, key_hash) VALUES (?, ?, ?, ?, ?)";
constexpr char kPutAliasSql[] =
    "INSERT OR IGNORE INTO aliases (ledger_no, alias_key, side, at_us, subject_no)"
    " VALUES (?, ?, ?, ?, ?)";
constexpr char kRemoveAliasSql[] =
    "DELETE FROM aliases WHERE ledger_no = ? AND alias_key = ? AND subject_no = ?";
constexpr char kPutSummarySql[] =
    "UPDATE subjects SET first_us = ?, last_us = ?, label = ?, fresh_until_us = ?, payer = ?,"
    " tool = ?, is_listed = ? WHERE subject_no = ?";

std::vector<Subject> ReadScope(Connection& connection, const char* sql, std::int64_t ledger_no,
                               absl::string_view scope, absl::Time at, std::size_t limit) {
  const std::string key = AliasKey({AliasKind::kScope, std::string(scope)});
  std::vector<Subject> found;
  Query query(connection, sql, ledger_no, Blob{key}, ToMicros(at),
              static_cast<std::int64_t>(limit));
  while (query.Next()) AddDistinct(found, ReadSubjectColumns(query, 0), limit);
  return found;
}

}  // namespace

absl::StatusOr<const settlement::State*> SqliteIndex::Load(const Subject& subject) {
  TALLY_ASSIGN_OR_RETURN(const SubjectCache::Entry* entry, cache_.Load(ledger_no_, subject));
  return &entry->state;
}

absl::StatusOr<std::vector<Subject>> SqliteIndex::Find(const Alias& alias, std::size_t limit) {
  return FindUnderAlias(connection_, ledger_no_, alias, limit);
}

absl::StatusOr<std::vector<Subject>> SqliteIndex::FindChallengesUpTo(absl::string_view scope,
                                                                     absl::Time at,
                                                                     std::size_t limit) {
  return ReadScope(connection_, kChallengesSql, ledger_no_, scope, at, limit);
}

absl::StatusOr<std::vector<Subject>> SqliteIndex::FindPresentedSince(absl::string_view scope,
                                                                     absl::Time at,
                                                                     std::size_t limit) {
  return ReadScope(connection_, kPresentedSql, ledger_no_, scope, at, limit);
}

absl::Status SqliteIndex::PutAlias(const Alias& alias, const Subject& subject, absl::Time at) {
  TALLY_ASSIGN_OR_RETURN(SubjectCache::Entry * entry, cache_.Load(ledger_no_, subject));
  std::vector<Alias>& filed = entry->filed;
  if (std::find(filed.begin(), filed.end(), alias) != filed.end()) return absl::OkStatus();
  if (!IsTimed(alias.kind) && filed.size() < kKnownAliasesMax) filed.push_back(alias);
  WriteAlias(connection_, ledger_no_, alias, subject.kind == SubjectKind::kChallenge, at,
             entry->subject_no);
  return absl::OkStatus();
}

absl::Status SqliteIndex::RemoveAlias(const Alias& alias, const Subject& subject) {
  TALLY_ASSIGN_OR_RETURN(SubjectCache::Entry * entry, cache_.Load(ledger_no_, subject));
  std::erase(entry->filed, alias);
  const std::string key = AliasKey(alias);
  Query(connection_, kRemoveAliasSql, ledger_no_, Blob{key}, entry->subject_no).Run();
  return absl::OkStatus();
}

absl::Status SqliteIndex::PutSummary(const Summary& summary) {
  TALLY_ASSIGN_OR_RETURN(const SubjectCache::Entry* entry,
                         cache_.Load(ledger_no_, summary.subject));
  WriteSummary(connection_, entry->subject_no, summary);
  return absl::OkStatus();
}

void WriteSubject(Connection& connection, std::int64_t subject_no, std::int64_t ledger_no,
                  const Subject& subject) {
  Query(connection, kPutSubjectSql, subject_no, ledger_no, static_cast<std::int64_t>(subject.kind),
        subject.key, SubjectKey(ledger_no, subject))
      .Run();
}

void WriteAlias(Connection& connection, std::int64_t ledger_no, const Alias& alias,
                bool is_challenge, absl::Time at, std::int64_t subject_no) {
  const std::string key = AliasKey(alias);
  const bool is_timed = IsTimed(alias.kind);
  Query(connection, kPutAliasSql, ledger_no, Blob{key},
        static_cast<std::int64_t>(is_timed && is_challenge ? 1 : 0), is_timed ? ToMicros(at) : 0,
        subject_no)
      .Run();
}

void WriteSummary(Connection& connection, std::int64_t subject_no, const Summary& summary) {
  const std::string label(settlement::NameOf(summary.label));
  Query(connection, kPutSummarySql, ToMicros(summary.first_time), ToMicros(summary.last_time),
        label, ToMicros(summary.fresh_until), summary.payer, summary.tool,
        static_cast<std::int64_t>(summary.is_listed ? 1 : 0), subject_no)
      .Run();
}

}  // namespace tally::store::sqlite

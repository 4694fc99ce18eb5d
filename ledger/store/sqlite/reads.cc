#include "ledger/store/sqlite/reads.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/settlement/names.h"
#include "ledger/store/admission.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {

using settlement::RecordedEvent;
using settlement::Subject;

namespace {

constexpr char kLedgersSql[] =
    "SELECT ledger_no, name, role, created_us,"
    " (SELECT ifnull(max(position), 0) FROM events e WHERE e.ledger_no = l.ledger_no)"
    " FROM ledgers l ORDER BY name";
constexpr char kLedgerSql[] =
    "SELECT ledger_no, name, role, created_us,"
    " (SELECT ifnull(max(position), 0) FROM events e WHERE e.ledger_no = l.ledger_no)"
    " FROM ledgers l WHERE name = ?";
constexpr char kEndpointsSql[] = "SELECT name, endpoint FROM endpoint_names WHERE ledger_no = ?";
constexpr char kSubjectSql[] =
    "SELECT subject_no FROM subjects"
    " WHERE key_hash = ? AND ledger_no = ? AND kind = ? AND key = ?";
constexpr char kHistorySql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE event_no BETWEEN ? AND ? ORDER BY event_no";
constexpr char kLogSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE ledger_no = ? AND position > ? ORDER BY position LIMIT ?";
constexpr char kEventSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE event_key = ?";
constexpr char kAliasSql[] =
    "SELECT s.kind, s.key FROM aliases a JOIN subjects s ON s.subject_no = a.subject_no"
    " WHERE a.ledger_no = ? AND a.alias_key = ?"
    " ORDER BY a.side, a.at_us, a.subject_no";
constexpr char kListSql[] =
    "SELECT kind, key, first_us, last_us, label, fresh_until_us, payer, tool FROM subjects"
    " WHERE is_listed = 1 AND ledger_no = ?1 AND first_us >= ?2 AND first_us < ?3"
    " AND last_us >= ?4 AND (?5 = '' OR payer = ?5) AND (?6 = '' OR tool = ?6)"
    " AND (?7 = '' OR fresh_until_us <= ?8 OR instr(?7, ',' || label || ',') > 0)"
    " AND (first_us > ?2 OR kind > ?9 OR (kind = ?9 AND key > ?10))"
    " ORDER BY first_us, kind, key LIMIT ?11";

constexpr char kTotalsSql[] =
    "SELECT (SELECT ifnull(max(position), 0) FROM events WHERE ledger_no = ?1),"
    " (SELECT count(*) FROM subjects WHERE ledger_no = ?1 AND kind = ?2)";

absl::StatusOr<LedgerRow> ReadLedgerRow(Connection& connection, const Query& query) {
  LedgerRow row;
  row.ledger_no = query.Int(0);
  row.ledger.name = query.Text(1);
  TALLY_ASSIGN_OR_RETURN(row.ledger.role, RoleFromText(query.Text(2)));
  row.ledger.created_time = FromMicros(query.Int(3));
  row.ledger.last_position = query.Int(4);
  Query names(connection, kEndpointsSql, row.ledger_no);
  while (names.Next()) row.ledger.endpoint_names[names.Text(0)] = names.Text(1);
  return row;
}

absl::Status Missing(absl::string_view what, std::int64_t number, absl::string_view of) {
  return Error(Reason::kDataLoss, absl::StrCat(what, " ", number, " of ", of, " is missing"));
}

std::int64_t Limit(std::size_t limit) {
  return static_cast<std::int64_t>(
      std::min<std::size_t>(limit, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

absl::StatusOr<LedgerRow> ReadLedger(Connection& connection, absl::string_view name) {
  const std::string text(name);
  Query query(connection, kLedgerSql, text);
  if (!query.Next()) return LedgerNotFound(name);
  return ReadLedgerRow(connection, query);
}

absl::StatusOr<std::vector<LedgerRow>> ReadLedgers(Connection& connection) {
  std::vector<LedgerRow> ledgers;
  Query query(connection, kLedgersSql);
  while (query.Next()) {
    TALLY_ASSIGN_OR_RETURN(LedgerRow row, ReadLedgerRow(connection, query));
    ledgers.push_back(std::move(row));
  }
  return ledgers;
}

std::int64_t FindSubjectNo(Connection& connection, std::int64_t ledger_no, const Subject& subject) {
  Query query(connection, kSubjectSql, SubjectKey(ledger_no, subject), ledger_no,
              static_cast<std::int64_t>(subject.kind), subject.key);
  return query.Next() ? query.Int(0) : 0;
}

absl::StatusOr<std::vector<RecordedEvent>> ReadSubject(Connection& connection,
                                                       std::int64_t subject_no,
                                                       const Subject& subject) {
  std::vector<RecordedEvent> events;
  Query query(connection, kHistorySql, EventNo(subject_no, 1), EventNo(subject_no, kVersionMax));
  while (query.Next()) {
    TALLY_ASSIGN_OR_RETURN(RecordedEvent event, Decode(ReadEventRow(query)));
    const auto wanted = static_cast<std::int64_t>(events.size()) + 1;
    if (event.version != wanted || event.event.subject != subject) {
      return Missing("version", wanted, subject.key);
    }
    events.push_back(std::move(event));
  }
  return events;
}

absl::StatusOr<std::vector<RecordedEvent>> ReadLog(Connection& connection, std::int64_t ledger_no,
                                                   std::int64_t after, std::size_t limit) {
  std::vector<RecordedEvent> events;
  after = std::max<std::int64_t>(after, 0);
  Query query(connection, kLogSql, ledger_no, after, Limit(limit));
  while (query.Next()) {
    TALLY_ASSIGN_OR_RETURN(RecordedEvent event, Decode(ReadEventRow(query)));
    if (event.position != ++after) {
      return Missing("position", after, absl::StrCat("ledger number ", ledger_no));
    }
    events.push_back(std::move(event));
  }
  return events;
}

absl::StatusOr<std::optional<RecordedEvent>> FindEvent(Connection& connection,
                                                       const LedgerRow& ledger,
                                                       absl::string_view event_id) {
  Query query(connection, kEventSql, EventKey(ledger.ledger.name, event_id));
  while (query.Next()) {
    const EventRow row = ReadEventRow(query);
    if (row.ledger_no != ledger.ledger_no) continue;
    TALLY_ASSIGN_OR_RETURN(RecordedEvent event, Decode(row));
    if (event.event.event_id == event_id) return event;
  }
  return std::nullopt;
}

bool AddDistinct(std::vector<Subject>& out, Subject subject, std::size_t limit) {
  if (std::find(out.begin(), out.end(), subject) == out.end()) out.push_back(std::move(subject));
  return out.size() < limit;
}

Subject ReadSubjectColumns(const Query& query, int kind_column) {
  return {static_cast<settlement::SubjectKind>(query.Int(kind_column)),
          query.Text(kind_column + 1)};
}

std::vector<Subject> FindUnderAlias(Connection& connection, std::int64_t ledger_no,
                                    const settlement::Alias& alias, std::size_t limit) {
  std::vector<Subject> found;
  if (limit == 0) return found;
  const std::string key = AliasKey(alias);
  Query query(connection, kAliasSql, ledger_no, Blob{key});
  while (query.Next()) {
    if (!AddDistinct(found, ReadSubjectColumns(query, 0), limit)) break;
  }
  return found;
}

absl::StatusOr<std::vector<Summary>> ReadSummaries(Connection& connection, std::int64_t ledger_no,
                                                   const ListQuery& query) {
  std::string labels;
  for (const settlement::Label label : query.labels) {
    absl::StrAppend(&labels, labels.empty() ? "," : "", settlement::NameOf(label), ",");
  }
  std::int64_t first = ToMicros(absl::InfinitePast());
  std::int64_t kind = -1;
  std::string key;
  if (query.after.has_value()) {
    first = ToMicros(query.after->first);
    kind = static_cast<std::int64_t>(query.after->second.kind);
    key = query.after->second.key;
  }
  Query rows(connection, kListSql, ledger_no, first,
             ToMicros(query.before.value_or(absl::InfiniteFuture())),
             ToMicros(query.from.value_or(absl::InfinitePast())), query.payer, query.tool, labels,
             ToMicros(query.now), kind, key, Limit(query.limit));
  std::vector<Summary> summaries;
  while (rows.Next()) {
    Summary summary;
    summary.subject = ReadSubjectColumns(rows, 0);
    summary.first_time = FromMicros(rows.Int(2));
    summary.last_time = FromMicros(rows.Int(3));
    const auto label = settlement::LabelFromName(rows.Text(4));
    if (!label.has_value()) {
      return Error(Reason::kDataLoss, absl::StrCat("no label is called ", rows.Text(4)));
    }
    summary.label = *label;
    summary.fresh_until = FromMicros(rows.Int(5));
    summary.payer = rows.Text(6);
    summary.tool = rows.Text(7);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

Totals CountAll(Connection& connection, std::int64_t ledger_no) {
  Query query(connection, kTotalsSql, ledger_no,
              static_cast<std::int64_t>(settlement::SubjectKind::kChallenge));
  query.Next();
  return {query.Int(0), query.Int(1)};
}

}  // namespace tally::store::sqlite

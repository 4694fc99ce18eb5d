// The reads of an EventStore on one connection: a reader's, or the writer's own. They throw what
// SQLiteCpp throws; see Guard().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

struct LedgerRow {
  std::int64_t ledger_no = 0;
  Ledger ledger;
};
absl::StatusOr<LedgerRow> ReadLedger(Connection& connection, absl::string_view name);
absl::StatusOr<std::vector<LedgerRow>> ReadLedgers(Connection& connection);

// 0 when there is none.
std::int64_t FindSubjectNo(Connection& connection, std::int64_t ledger_no,
                           const settlement::Subject& subject);
// DATA_LOSS when a version is missing or belongs to another subject.
absl::StatusOr<std::vector<settlement::RecordedEvent>> ReadSubject(
    Connection& connection, std::int64_t subject_no, const settlement::Subject& subject);
// DATA_LOSS when a position is missing.
absl::StatusOr<std::vector<settlement::RecordedEvent>> ReadLog(Connection& connection,
                                                               std::int64_t ledger_no,
                                                               std::int64_t after,
                                                               std::size_t limit);
absl::StatusOr<std::optional<settlement::RecordedEvent>> FindEvent(Connection& connection,
                                                                   const LedgerRow& ledger,
                                                                   absl::string_view event_id);

std::vector<settlement::Subject> FindUnderAlias(Connection& connection, std::int64_t ledger_no,
                                                const settlement::Alias& alias, std::size_t limit);
absl::StatusOr<std::vector<Summary>> ReadSummaries(Connection& connection, std::int64_t ledger_no,
                                                   const ListQuery& query);

// Adds while there is room and it is not there yet; whether there is still room.
bool AddDistinct(std::vector<settlement::Subject>& out, settlement::Subject subject,
                 std::size_t limit);
// From two columns, kind and key.
settlement::Subject ReadSubjectColumns(const Query& query, int kind_column);

Totals CountAll(Connection& connection, std::int64_t ledger_no);

}  // namespace tally::store::sqlite

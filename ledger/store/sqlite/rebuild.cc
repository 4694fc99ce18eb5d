#include "ledger/store/sqlite/rebuild.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/projections.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/replay.h"

namespace tally::store::sqlite {
namespace {

constexpr std::size_t kDifferencesMax = 100;

// Those that the connection means: twins, once they are made.
std::int64_t Count(Connection& connection, const char* sql) {
  return connection.database().execAndGet(sql).getInt64();
}

}  // namespace

absl::StatusOr<RebuildReport> CompareProjections(Connection& connection) {
  return Guard("compare projections", [&]() -> absl::StatusOr<RebuildReport> {
    const SQLite::Transaction snapshot(connection.database());  // rolls back when left
    TALLY_ASSIGN_OR_RETURN(const std::vector<LedgerRow> ledgers, ReadLedgers(connection));
    std::map<std::int64_t, std::string> names;
    for (const LedgerRow& ledger : ledgers) names[ledger.ledger_no] = ledger.ledger.name;
    RebuildReport report;
    TALLY_RETURN_IF_ERROR(MakeTwins(connection));
    TALLY_RETURN_IF_ERROR(Replay(connection, [&](std::int64_t events) { report.events = events; }));
    report.subjects = Count(connection, "SELECT count(*) FROM subjects");
    report.aliases = Count(connection, "SELECT count(*) FROM aliases");
    TALLY_RETURN_IF_ERROR(CompareTwins(connection, [&](const ProjectionDifference& difference) {
      if (report.differences.size() >= kDifferencesMax) return;
      report.differences.push_back(absl::StrCat(names[difference.ledger_no], ": ", difference.row,
                                                ": saw ", difference.seen, ", wanted ",
                                                difference.wanted));
    }));
    return report;
  });
}

absl::Status ReplaceProjections(Connection& connection) {
  TALLY_RETURN_IF_ERROR(ClearProjections(connection));
  return Replay(connection, nullptr);
}

}  // namespace tally::store::sqlite

#include "ledger/store/sqlite/check.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/event_check.h"
#include "ledger/store/sqlite/log_check.h"
#include "ledger/store/sqlite/projections.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/replay.h"
#include "ledger/store/sqlite/schema.h"

namespace tally::store::sqlite {
namespace {

constexpr char kMadeSql[] =
    "SELECT type || ' ' || name, ifnull(sql, '') FROM main.sqlite_schema ORDER BY 1";
using Made = std::map<std::string, std::string>;  // tables and indexes, and how they are made

Made ReadMade(SQLite::Database& database) {
  Made made;
  SQLite::Statement rows(database, kMadeSql);
  while (rows.executeStep()) {
    made[rows.getColumn(0).getString()] = rows.getColumn(1).getString();
  }
  return made;
}

class DatabaseCheck {
 public:
  DatabaseCheck(Connection& connection, const OnCheckProgress& on_progress)
      : connection_(connection), on_progress_(on_progress) {}

  CheckReport Run() {
    const std::int64_t events = CountEvents();
    CheckStructure();
    CheckMade();
    report_.events = CheckEvents(connection_, report_.findings, [&](std::int64_t done) {
      Tell("events", done, 2 * events);  // each is read twice
    });
    CompareProjections(events);
    return std::move(report_);
  }

 private:
  void Add(std::string what, absl::string_view seen, absl::string_view wanted) {
    report_.findings.Add({"", 0, std::move(what), std::string(seen), std::string(wanted)});
  }
  void Tell(absl::string_view doing, std::int64_t done, std::int64_t total) {
    if (on_progress_) on_progress_({doing, done, total});
  }
  // What fails is a finding.
  template <typename Body>
  void Look(absl::string_view what, Body body) {
    const absl::Status status = Guard("read", body);
    if (!status.ok()) Add(std::string(what), status.message(), "something that can be read");
  }

  // For the progress only; what is wrong with it shows later.
  std::int64_t CountEvents() {
    std::int64_t events = 0;
    const absl::Status ignored = Guard("count", [&]() -> absl::Status {
      TALLY_ASSIGN_OR_RETURN(const std::vector<LedgerRow> ledgers, ReadLedgers(connection_));
      for (const LedgerRow& ledger : ledgers) {
        names_[ledger.ledger_no] = ledger.ledger.name;
        events += ledger.ledger.last_position;
      }
      return absl::OkStatus();
    });
    return events;
  }

  void CheckStructure() {
    Tell("pages", 0, 0);
    Look("pages", [&]() -> absl::Status {
      report_.pages = connection_.database().execAndGet("PRAGMA page_count").getInt64();
      Query lines(connection_, "PRAGMA integrity_check(1000)");
      while (lines.Next()) {
        if (lines.Text(0) != "ok") Add("structure", lines.Text(0), "ok");
      }
      return absl::OkStatus();
    });
    Look("references", [&]() -> absl::Status {
      Query rows(connection_, "PRAGMA foreign_key_check");
      while (rows.Next()) {
        Add(absl::StrCat(rows.Text(0), " row ", rows.Text(1)), "names what is not there",
            absl::StrCat("a row of ", rows.Text(2)));
      }
      return absl::OkStatus();
    });
  }

  // A table or an index that is missing would still let everything else agree.
  void CheckMade() {
    Look("schema", [&]() -> absl::Status {
      SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
      for (const Migration& migration : Migrations()) fresh.exec(migration.text);
      Made wanted = ReadMade(fresh);
      for (const auto& [what, sql] : ReadMade(connection_.database())) {
        const auto found = wanted.find(what);
        if (found == wanted.end()) {
          Add(what, "is there", "not there");
        } else if (found->second != sql) {
          Add(what, sql, found->second);
        }
        wanted.erase(what);
      }
      for (const auto& [what, sql] : wanted) Add(what, "not there", "is there");
      return absl::OkStatus();
    });
  }

  void CompareProjections(std::int64_t events) {
    // Broken events make nothing that could be compared.
    if (report_.findings.count() > 0) return;
    absl::Status status = MakeTwins(connection_);
    if (status.ok()) {
      status = Replay(connection_, [&](std::int64_t done) { Tell("projections", done, events); });
    }
    if (status.ok())
      status = CompareTwins(connection_, [&](const ProjectionDifference& row) {
        report_.findings.Add({names_[row.ledger_no], 0, row.row, row.seen, row.wanted});
      });
    if (!status.ok()) return Add("projections", status.message(), "events that make them");
    report_.are_projections_compared = true;
    Look("projections", [&]() -> absl::Status {
      TALLY_ASSIGN_OR_RETURN(report_.projection_rows, CountProjectionRows(connection_));
      return absl::OkStatus();
    });
  }

  Connection& connection_;
  const OnCheckProgress& on_progress_;
  std::map<std::int64_t, std::string> names_;
  CheckReport report_;
};

absl::StatusOr<CheckReport> CheckOpen(Connection& connection, const OnCheckProgress& on_progress) {
  TALLY_ASSIGN_OR_RETURN(const std::size_t applied, CheckSchema(connection, Migrations()));
  if (applied != Migrations().size()) {
    return Error(Reason::kDatabaseUnusable,
                 absl::StrCat("schema ", applied, " is older than this binary's ",
                              Migrations().size(), ": open it for writing once"));
  }
  return Guard("check", [&]() -> absl::StatusOr<CheckReport> {
    const SQLite::Transaction snapshot(connection.database());  // rolls back when left
    return DatabaseCheck(connection, on_progress).Run();
  });
}

}  // namespace

absl::StatusOr<CheckReport> Check(const std::string& path, const std::string& vfs,
                                  const OnCheckProgress& on_progress) {
  CheckReport unopened;
  const auto finding = [&](const absl::Status& status) -> absl::StatusOr<CheckReport> {
    if (ReasonOf(status) != Reason::kDataLoss) return status;
    unopened.findings.Add({"", 0, "opening", std::string(status.message()), "a whole file"});
    return std::move(unopened);
  };
  const absl::Status log = CheckIdleLog(path, vfs);
  if (!log.ok()) return finding(log);
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Open(path, Access::kCompare, vfs);
  if (!connection.ok()) return finding(connection.status());
  absl::StatusOr<CheckReport> report = CheckOpen(**connection, on_progress);
  return report.ok() ? std::move(report) : finding(report.status());
}

}  // namespace tally::store::sqlite

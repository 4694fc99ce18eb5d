#include "tests/bench/bare_sqlite.h"

#include <sqlite3.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "tests/bench/server_process.h"

namespace tally::bench {
namespace {

// As the ledger sets its own file up.
constexpr char kSetUp[] =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096;"
    "CREATE TABLE event (position INTEGER PRIMARY KEY, body BLOB NOT NULL);";

}  // namespace

struct BareSqlite::Parts {
  ~Parts() {
    sqlite3_finalize(insert);
    sqlite3_close(database);
  }
  absl::Status Check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE) return absl::OkStatus();
    return absl::UnknownError(absl::StrCat("bare SQLite: ", sqlite3_errmsg(database)));
  }
  absl::Status Execute(const char* text) const {
    return Check(sqlite3_exec(database, text, nullptr, nullptr, nullptr));
  }
  absl::Status Commit(const std::string& row, int group) const {
    TALLY_RETURN_IF_ERROR(Execute("BEGIN IMMEDIATE"));
    for (int i = 0; i < group; ++i) {
      sqlite3_bind_blob(insert, 1, row.data(), static_cast<int>(row.size()), SQLITE_STATIC);
      TALLY_RETURN_IF_ERROR(Check(sqlite3_step(insert)));
      sqlite3_reset(insert);
    }
    return Execute("COMMIT");
  }

  sqlite3* database = nullptr;
  sqlite3_stmt* insert = nullptr;
};

absl::StatusOr<std::unique_ptr<BareSqlite>> BareSqlite::Open(const std::string& file) {
  auto parts = std::make_unique<Parts>();
  TALLY_RETURN_IF_ERROR(parts->Check(sqlite3_open(file.c_str(), &parts->database)));
  TALLY_RETURN_IF_ERROR(parts->Execute(kSetUp));
  TALLY_RETURN_IF_ERROR(parts->Check(sqlite3_prepare_v2(
      parts->database, "INSERT INTO event (body) VALUES (?)", -1, &parts->insert, nullptr)));
  return std::unique_ptr<BareSqlite>(new BareSqlite(std::move(parts)));
}

BareSqlite::BareSqlite(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
BareSqlite::~BareSqlite() = default;

absl::StatusOr<Figures> BareSqlite::Run(const std::string& row, int group, absl::Duration warm_up,
                                        absl::Duration length) {
  const absl::Time begin = absl::Now() + warm_up;
  while (absl::Now() < begin) TALLY_RETURN_IF_ERROR(parts_->Commit(row, group));
  Meter meter;
  const absl::Duration cpu = OwnCpuTime();
  const absl::Time counted_from = absl::Now();
  absl::Time last = counted_from;
  while (last < counted_from + length) {
    TALLY_RETURN_IF_ERROR(parts_->Commit(row, group));
    const absl::Time now = absl::Now();
    meter.Add(now - last);
    last = now;
  }
  return meter.Finish(last - counted_from, group, OwnCpuTime() - cpu, absl::ZeroDuration());
}

}  // namespace tally::bench

#include "ledger/store/sqlite/backup.h"

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/checked_vfs.h"
#include "ledger/store/sqlite/files.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {
namespace {

constexpr char kCountsSql[] =
    "SELECT (SELECT count(*) FROM schema) || ' migrations, ' || (SELECT count(*) FROM ledgers) ||"
    " ' ledgers, ' || (SELECT count(*) FROM subjects) || ' subjects, ' ||"
    " (SELECT count(*) FROM events) || ' events, ' || (SELECT count(*) FROM aliases) || ' aliases'";

std::string TextOf(SQLite::Database& database, const char* sql) {
  return database.execAndGet(sql).getString();
}

// A backup of broken events would be trusted when it is too late: each must be whole, none missing.
absl::Status CheckEvents(Connection& snapshot) {
  Query rows(snapshot,
             "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
             " FROM events ORDER BY ledger_no, position");
  std::int64_t ledger_no = 0;
  std::int64_t position = 0;
  while (rows.Next()) {
    const EventRow row = ReadEventRow(rows);
    TALLY_RETURN_IF_ERROR(Decode(row).status());
    position = row.ledger_no == ledger_no ? position + 1 : 1;
    ledger_no = row.ledger_no;
    if (row.position != position) {
      return Error(Reason::kDataLoss, absl::StrCat("ledger ", ledger_no, ": the event at position ",
                                                   position, " is missing"));
    }
  }
  return absl::OkStatus();
}

absl::Status Copy(Connection& snapshot, const std::string& path, const std::string& vfs) {
  return Guard("copy to " + path, [&]() -> absl::Status {
    SQLite::Database target(path, SQLite::OPEN_READWRITE, 0, vfs);
    SQLite::Backup copy(target, snapshot.database());
    while (copy.executeStep(-1) != SQLITE_DONE) {
    }
    return absl::OkStatus();
  });
}

absl::Status Verify(const std::string& had, const std::string& path, const std::string& vfs) {
  return Guard("verify " + path, [&]() -> absl::Status {
    SQLite::Database copy(path, SQLite::OPEN_READWRITE, 0, vfs);
    // One file without companions is easier to carry; the writer turns WAL on again.
    copy.exec("PRAGMA journal_mode = DELETE");
    const std::string check = TextOf(copy, "PRAGMA quick_check");
    if (check != "ok") return Error(Reason::kDataLoss, absl::StrCat(path, ": ", check));
    const std::string has = TextOf(copy, kCountsSql);
    if (had == has) return absl::OkStatus();
    return Error(Reason::kDataLoss, absl::StrCat(path, " holds ", has, " instead of ", had));
  });
}

}  // namespace

absl::Status CopyTo(Connection& snapshot, const std::string& path, const std::string& vfs) {
  const std::string counts = TextOf(snapshot.database(), kCountsSql);  // the moment begins here
  TALLY_RETURN_IF_ERROR(CheckEvents(snapshot));
  TALLY_RETURN_IF_ERROR(CreatePrivateFile(path, true));
  absl::Status status = Copy(snapshot, path, CheckedVfs(vfs));
  if (status.ok()) status = Verify(counts, path, CheckedVfs(vfs));
  if (status.ok()) status = SyncFile(path);
  if (status.ok()) status = SyncFolderOf(path);
  if (!status.ok()) unlink(path.c_str());
  return status;
}

}  // namespace tally::store::sqlite

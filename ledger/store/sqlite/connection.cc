#include "ledger/store/sqlite/connection.h"

#include <sqlite3.h>

#include <tuple>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally::store::sqlite {
namespace {

constexpr int kBusyMilliseconds = 5000;

// Pages of WAL before the writer checkpoints: more stalls it longer, fewer stalls it more often.
// Keys of aliases are random, so the writer's cache (64 MiB) has to hold more than the end of the
// file.
constexpr char kWriterPragmas[] =
    "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4096; PRAGMA cache_size = -65536;"
    "PRAGMA temp_store = MEMORY";
constexpr char kReaderPragmas[] =
    "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY";

}  // namespace

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const std::string& path,
                                                             Access access) {
  return Guard("open " + path, [&]() -> absl::StatusOr<std::unique_ptr<Connection>> {
    // Readers too open the file for writing: the first one after a crash has to recover the WAL's
    // index, which touches the -shm file only.
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX,
                              kBusyMilliseconds);
    if (access == Access::kRead) {
      // SQLite before 3.51.3 can corrupt a file when a checkpoint on one connection races a commit
      // on another, so only the writer's connection ever checkpoints.
      database.check(
          sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
      database.exec(kReaderPragmas);
    } else {
      database.exec(kWriterPragmas);
    }
    return std::unique_ptr<Connection>(new Connection(std::move(database)));
  });
}

SQLite::Statement& Connection::Prepare(const char* sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) return known->second;
  return statements_
      .emplace(std::piecewise_construct, std::forward_as_tuple(sql),
               std::forward_as_tuple(database_, sql))
      .first->second;
}

bool Connection::IsInTransaction() { return sqlite3_get_autocommit(database_.getHandle()) == 0; }

absl::Status ToStatus(absl::string_view doing, const SQLite::Exception& e) {
  const std::string message = absl::StrCat(doing, ": ", e.what());
  switch (e.getErrorCode()) {
    case SQLITE_FULL:
      return Error(Reason::kDatabaseFull, message);
    case SQLITE_CORRUPT:
      return Error(Reason::kDataLoss, message);
    default:
      return Error(Reason::kDatabaseUnusable, message)
          .With("sqlite_code", absl::StrCat(e.getExtendedErrorCode()));
  }
}

}  // namespace tally::store::sqlite

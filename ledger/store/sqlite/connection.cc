#include "ledger/store/sqlite/connection.h"

#include <sqlite3.h>

#include <cerrno>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/store/sqlite/checked_vfs.h"

namespace tally::store::sqlite {
namespace {

constexpr int kBusyMilliseconds = 5000;

// Keys of aliases are random, so the writer's cache (64 MiB) has to hold more than the end of the
// file. It checkpoints by itself, to see what comes of it: SQLite would not say.
constexpr char kWriterPragmas[] =
    "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -65536;"
    "PRAGMA temp_store = MEMORY";
constexpr char kReaderPragmas[] =
    "PRAGMA query_only = 1; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY";
// Temporary tables are written too, so this one can't be made query-only.
constexpr char kComparePragmas[] =
    "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = FILE; PRAGMA temp.cache_size = -65536;"
    "PRAGMA temp.journal_mode = MEMORY";

absl::Status Synced(absl::string_view doing, int code) {
  if (code == SQLITE_OK) return absl::OkStatus();
  return Error(Reason::kDatabaseUnusable, absl::StrCat(doing, ": ", sqlite3_errstr(code)))
      .With("sqlite_code", absl::StrCat(code));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const std::string& path, Access access,
                                                             const std::string& vfs) {
  return Guard("open " + path, [&]() -> absl::StatusOr<std::unique_ptr<Connection>> {
    // Readers too open the file for writing: the first one after a crash has to recover the WAL's
    // index, which touches the -shm file only.
    SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX,
                              kBusyMilliseconds, CheckedVfs(vfs));
    if (access != Access::kWrite) {
      // SQLite before 3.51.3 can corrupt a file when a checkpoint on one connection races a commit
      // on another, so only the writer's connection ever checkpoints.
      database.check(
          sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr));
      database.exec(access == Access::kRead ? kReaderPragmas : kComparePragmas);
    } else {
      int reserved = kPageReservedBytes;  // counts for a file that is still empty
      database.check(sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_RESERVE_BYTES,
                                          &reserved));
      database.exec(kWriterPragmas);
    }
    std::unique_ptr<Connection> connection(new Connection(std::move(database)));
    if (access == Access::kWrite) connection->CountLogPages();
    return connection;
  });
}

void Connection::CountLogPages() {
  const auto count = [](void* self, sqlite3*, const char*, int pages) {
    static_cast<Connection*>(self)->log_pages_ = static_cast<std::size_t>(pages);
    return SQLITE_OK;
  };
  sqlite3_wal_hook(database_.getHandle(), count, this);
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

absl::Status Connection::Checkpoint() {
  return Guard("checkpoint", [&]() -> absl::Status {
    sqlite3* handle = database_.getHandle();
    const int code =
        sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if (code == SQLITE_OK || code == SQLITE_BUSY || code == SQLITE_LOCKED) return absl::OkStatus();
    return IsOutOfSpace() ? absl::OkStatus()
                          : ToStatus("checkpoint", SQLite::Exception(handle, code));
  });
}

absl::Status Connection::SyncLog() {
  sqlite3_file* log = nullptr;
  sqlite3_file_control(database_.getHandle(), nullptr, SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (log == nullptr || log->pMethods == nullptr) return absl::OkStatus();
  return Synced("sync the log", log->pMethods->xSync(log, SQLITE_SYNC_NORMAL));
}

absl::Status Connection::SyncFolder() {
  return Synced("sync the folder",
                sqlite3_file_control(database_.getHandle(), nullptr, kSyncFolderControl, nullptr));
}

bool Connection::IsOutOfSpace() {
  sqlite3* handle = database_.getHandle();
  return sqlite3_errcode(handle) == SQLITE_FULL || sqlite3_system_errno(handle) == ENOSPC;
}

absl::Status ToStatus(absl::string_view doing, const SQLite::Exception& e) {
  const std::string message = absl::StrCat(doing, ": ", e.what());
  if (e.getExtendedErrorCode() == SQLITE_IOERR_DATA) {
    return Error(Reason::kDataLoss,
                 absl::StrCat(doing, ": a page of the database or its log has a wrong checksum"));
  }
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

// A connection with its prepared statements. Exceptions of SQLiteCpp end at Guard(): nothing above
// this folder sees one.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally::store::sqlite {

enum class Access {
  kWrite,    // the one connection that writes, and the only one that checkpoints
  kRead,     // never writes, never checkpoints, not even on close
  kCompare,  // as kRead, and may keep tables in temporary files, which go with it
};

// To be used by one thread at a time.
class Connection {
 public:
  // Opens an existing file, over the VFS of that name (checked_vfs.h), or over the system's.
  // DATABASE_UNUSABLE, DATA_LOSS. The journal mode is left as it is.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const std::string& path, Access access,
                                                          const std::string& vfs = "");

  SQLite::Database& database() { return database_; }
  void Execute(const char* sql) { database_.exec(sql); }
  // Prepared once and kept; `sql` must be a constant, it is known by its address.
  SQLite::Statement& Prepare(const char* sql);
  bool IsInTransaction();

  // For the writer, outside of a transaction. Copies the log into the database as far as readers
  // allow, and syncs both. OK too when there is no room for it: the log keeps what it has.
  // DATABASE_UNUSABLE, DATA_LOSS.
  absl::Status Checkpoint();
  // For the writer: how many pages the log had at the last commit.
  std::size_t log_pages() const { return log_pages_; }
  // For the writer. Syncs the log; the names of the database's files. DATABASE_UNUSABLE.
  absl::Status SyncLog();
  absl::Status SyncFolder();
  // Whether the last error came of a full disk: SQLite reports some (of the log's index) as I/O
  // errors.
  bool IsOutOfSpace();

 private:
  explicit Connection(SQLite::Database database) : database_(std::move(database)) {}
  void CountLogPages();

  SQLite::Database database_;
  std::size_t log_pages_ = 0;
  std::unordered_map<const char*, SQLite::Statement> statements_;
};

struct Blob {
  absl::string_view bytes;
};

// One use of a prepared statement. Arguments must outlive it; it is reset on destruction, so that
// no read stays open.
class Query {
 public:
  template <typename... Args>
  Query(Connection& connection, const char* sql, const Args&... args)
      : statement_(connection.Prepare(sql)) {
    int index = 0;
    (Bind(++index, args), ...);
  }
  ~Query() { statement_.tryReset(); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool Next() { return statement_.executeStep(); }
  // For statements without rows.
  void Run() { statement_.exec(); }

  std::int64_t Int(int column) const { return statement_.getColumn(column).getInt64(); }
  std::string Text(int column) const { return statement_.getColumn(column).getString(); }
  bool IsNull(int column) const { return statement_.getColumn(column).isNull(); }

 private:
  void Bind(int index, std::int64_t value) { statement_.bind(index, value); }
  void Bind(int index, const std::string& value) { statement_.bindNoCopy(index, value); }
  void Bind(int index, Blob value) {
    statement_.bindNoCopy(index, value.bytes.data(), static_cast<int>(value.bytes.size()));
  }

  SQLite::Statement& statement_;
};

// DATABASE_FULL, DATA_LOSS (a broken file) or DATABASE_UNUSABLE (metadata sqlite_code).
absl::Status ToStatus(absl::string_view doing, const SQLite::Exception& e);

// Runs `body`, which returns a Status or StatusOr; what it throws becomes one.
template <typename Body>
auto Guard(absl::string_view doing, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (const SQLite::Exception& e) {
    return ToStatus(doing, e);
  }
}

}  // namespace tally::store::sqlite

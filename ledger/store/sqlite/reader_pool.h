// A few connections for reads beside the writer.
#pragma once

#include <condition_variable>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ledger/base/mutex.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Thread-safe. Opens connections as they are needed, up to a bound, and then makes callers wait.
class ReaderPool {
 public:
  ReaderPool(std::string path, std::string vfs, std::size_t connections_max)
      : path_(std::move(path)), vfs_(std::move(vfs)), connections_max_(connections_max) {}

  // Runs `body(Connection&)`, which returns a Status or StatusOr, on a connection of its own.
  template <typename Body>
  auto Read(absl::string_view doing, Body body) -> decltype(body(std::declval<Connection&>())) {
    TALLY_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection, Take());
    auto result = Guard(doing, [&] { return body(*connection); });
    GiveBack(std::move(connection));
    return result;
  }

  // A connection for as long as the holder wants, then given back: nullptr when it is unusable.
  absl::StatusOr<std::unique_ptr<Connection>> Take();
  void GiveBack(std::unique_ptr<Connection> connection);

  // Read() inside one read transaction, so that all of it sees one moment.
  template <typename Body>
  auto ReadSnapshot(absl::string_view doing, Body body)
      -> decltype(body(std::declval<Connection&>())) {
    return Read(doing, [&](Connection& connection) {
      SQLite::Transaction snapshot(connection.database());  // rolls back when left
      return body(connection);
    });
  }

 private:
  const std::string path_;
  const std::string vfs_;
  const std::size_t connections_max_;
  Mutex mutex_;
  std::condition_variable returned_;
  std::size_t opened_ TALLY_GUARDED_BY(mutex_) = 0;
  std::vector<std::unique_ptr<Connection>> idle_ TALLY_GUARDED_BY(mutex_);
};

}  // namespace tally::store::sqlite

// Which process writes a database: a kernel lock on FILE.lock, so that a killed process leaves
// none, with the holder's pid and address written in it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tally::store::sqlite {

class FileLock {
 public:
  // DATABASE_HELD (metadata pid, address), DATABASE_UNUSABLE.
  static absl::StatusOr<std::unique_ptr<FileLock>> Acquire(const std::string& database,
                                                           const std::string& address);
  // Writes this process and where it can be reached into the lock.
  absl::Status Announce(const std::string& address);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // DATABASE_HELD when a process holds it, else OK.
  static absl::Status Probe(const std::string& database);

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tally::store::sqlite

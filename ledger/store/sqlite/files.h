// What is done to files beside SQLite.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace tally::store::sqlite {

// Creates `path` with mode 0600 if it is not there; with `must_be_new` it may not be. SQLite gives
// its -wal and -shm files the same mode. DATABASE_UNUSABLE.
absl::Status CreatePrivateFile(const std::string& path, bool must_be_new);

// Waits until what was written is on the disk: a file's bytes, or the names in the folder a file is
// in. DATABASE_UNUSABLE.
absl::Status SyncFile(const std::string& path);
absl::Status SyncFolderOf(const std::string& path);

}  // namespace tally::store::sqlite

// A consistent copy of the database while it is in use.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Copies what `snapshot`, a reader inside a read transaction, sees into a new file of mode 0600,
// syncs it, and opens it again to check it; both files are of the VFS of that name.
// DATABASE_UNUSABLE when `path` exists or can't be written, DATABASE_FULL, DATA_LOSS when the copy
// is not what was copied; no file is left behind then.
absl::Status CopyTo(Connection& snapshot, const std::string& path, const std::string& vfs);

}  // namespace tally::store::sqlite

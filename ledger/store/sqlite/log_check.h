// Whether a log that nobody writes to still holds what was synced into it. SQLite, opening it,
// drops everything from the first broken frame on and says nothing: right for the commit that a
// crash cut short, and a silent loss when older ones go with it.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace tally::store::sqlite {

// To be asked while no process writes, before SQLite opens `database`. DATA_LOSS when whole commits
// lie beyond a broken frame: each commit is synced before the next begins, so a crash can't leave
// them. Damage to the last two commits looks like a crash, and passes. OK when there is no log;
// DATABASE_UNUSABLE when it can't be read.
absl::Status CheckLog(const std::string& database, const std::string& vfs);

// The same for who does not hold the lock: of a log that is being written nobody can say where it
// ends, so it is OK while a process writes.
absl::Status CheckIdleLog(const std::string& database, const std::string& vfs);

}  // namespace tally::store::sqlite

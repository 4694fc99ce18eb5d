// The schema of the file, and how an older one is brought up to date.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// "TALY", in the header of every file of ours.
inline constexpr std::int64_t kApplicationId = 0x54414C59;

struct Migration {
  std::int64_t version;
  const char* name;
  const char* text;
};
// Those compiled in, by version.
const std::vector<Migration>& Migrations();

// What the schema of an open file is, against `migrations`: DATABASE_UNUSABLE (not a file of ours),
// SCHEMA_NEWER (made by a newer binary), DATA_LOSS (a migration was changed after it was applied).
// The number of migrations applied otherwise; 0 for an empty file.
absl::StatusOr<std::size_t> CheckSchema(Connection& connection,
                                        const std::vector<Migration>& migrations);

// Checks, turns WAL on and applies what is missing, each migration in its own SQL transaction. For
// the writer's connection.
absl::Status Migrate(Connection& connection, const std::vector<Migration>& migrations,
                     absl::Time now);

}  // namespace tally::store::sqlite

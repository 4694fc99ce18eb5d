// A ledger's log as it lies on disk. Throws what SQLiteCpp throws; see Guard().
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// DATA_LOSS when a checksum does not fit or a position is missing.
absl::StatusOr<std::vector<StoredEvent>> ReadStoredLog(Connection& connection,
                                                       std::int64_t ledger_no,
                                                       const LogRange& range);

}  // namespace tally::store::sqlite

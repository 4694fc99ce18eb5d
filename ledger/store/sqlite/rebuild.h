// Makes the projections again from the events and compares them with those on file.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Inside one SQL transaction: a snapshot, or with `replace` the writer's. Holds the states of one
// ledger at a time in memory. DATA_LOSS when the events themselves are broken.
absl::StatusOr<RebuildReport> Rebuild(Connection& connection, bool replace);

}  // namespace tally::store::sqlite

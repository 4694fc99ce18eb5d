// Holds the projections on file against the events, and puts new ones in their place.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Sees one moment of the file; needs a connection of its own, opened for comparing, and as much
// room for temporary files as the projections take. DATA_LOSS when the events themselves are
// broken.
absl::StatusOr<RebuildReport> CompareProjections(Connection& connection);

// Inside the writer's SQL transaction. DATA_LOSS as above.
absl::Status ReplaceProjections(Connection& connection);

}  // namespace tally::store::sqlite

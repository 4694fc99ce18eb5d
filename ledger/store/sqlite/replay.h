// The projections made again from the events, by the very code that keeps them and in the order in
// which they were kept.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Told now and then how many events of the whole file are done.
using OnReplayed = std::function<void(std::int64_t events)>;

// Fills the tables that this connection knows as `subjects`, `aliases` and so on, which must be
// empty, from the events of the main database, inside the caller's SQL transaction. Nothing else
// may use the connection meanwhile. What it holds in memory does not grow with the file. DATA_LOSS
// when the events are broken, or their order is.
absl::Status Replay(Connection& connection, const OnReplayed& on_replayed);

}  // namespace tally::store::sqlite

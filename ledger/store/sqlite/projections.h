// The tables that can be made again from the events, whichever they are: all but those that hold
// the truth. Nothing here knows their columns.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Empties them.
absl::Status ClearProjections(Connection& connection);

// Makes an empty twin of each in the connection's temporary database. From then on the connection
// means the twins when it names a projection.
absl::Status MakeTwins(Connection& connection);

// One row that is not what the events make it.
struct ProjectionDifference {
  std::int64_t ledger_no = 0;  // 0: the row says none
  std::string row;             // its table and its key
  std::string seen;            // the columns on file that differ; `no row`
  std::string wanted;          // the same of the twin
};
using OnDifference = std::function<void(const ProjectionDifference&)>;

// Compares each with its twin, in no more memory for more rows. `on_difference` returns nothing:
// whoever has enough just stops listening.
absl::Status CompareTwins(Connection& connection, const OnDifference& on_difference);

// Rows of all projections on file.
absl::StatusOr<std::int64_t> CountProjectionRows(Connection& connection);

}  // namespace tally::store::sqlite

// Whether the events of a file are whole: each by itself, and all of them in their places.
#pragma once

#include <cstdint>
#include <functional>

#include "ledger/store/sqlite/connection.h"
#include "ledger/store/sqlite/findings.h"

namespace tally::store::sqlite {

// Told now and then how many events were looked at.
using OnEventsChecked = std::function<void(std::int64_t events)>;

// Reads every event of every ledger twice, by position and by number, inside the caller's read
// transaction. Finds: what can't be read or decoded, wrong checksums, rows that say other things
// than their envelopes, gaps of positions and versions, ids that come twice, times that run
// backwards. Goes on after what it finds. Returns how many events there are.
std::int64_t CheckEvents(Connection& connection, Findings& findings,
                         const OnEventsChecked& on_checked);

}  // namespace tally::store::sqlite

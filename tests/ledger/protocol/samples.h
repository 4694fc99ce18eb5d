// One event for each body, with every field set.
#pragma once

#include <vector>

#include "ledger/settlement/event.h"

namespace tally::protocol {

// In the order of Body's alternatives.
std::vector<settlement::Event> SampleEvents();

}  // namespace tally::protocol

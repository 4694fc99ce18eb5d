// What is odd about a settlement, whatever its label. Internal to this folder. Pure.
#pragma once

#include <vector>

#include "ledger/settlement/dossier.h"

namespace tally::settlement {

// In enum order, no duplicates. Without LATE_EVIDENCE, which is found where adjusting entries are
// judged.
std::vector<Anomaly> ReadAnomalies(const Dossier& dossier, const Axes& axes);

}  // namespace tally::settlement

// The label in one sentence a person can act on. Pure.
#pragma once

#include <string>

#include "ledger/settlement/dossier.h"
#include "ledger/settlement/label.h"

namespace tally::settlement {

std::string ReasonFor(Label label, const Situation& situation, const Dossier& dossier);

}  // namespace tally::settlement

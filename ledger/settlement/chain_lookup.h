// The call to a chain node that would decide what became of an authorization, and the logs that
// show it: exact, so that a program can make it as it stands. Internal to this folder. Pure.
#pragma once

#include <optional>

#include "ledger/settlement/dossier.h"

namespace tally::settlement {

// nullopt where the chain would decide nothing, or the slot does not say enough.
std::optional<ChainLookup> LookupFor(const Dossier& dossier, Liveness liveness);

}  // namespace tally::settlement

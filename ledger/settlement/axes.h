// Each axis from its own evidence, none inferred from another: a join over a declared order, so
// that the order of arrival can't matter. Internal to this folder. Pure.
#pragma once

#include "ledger/settlement/dossier.h"

namespace tally::settlement {

Axes ReadAxes(const Dossier& dossier);
// What became of one presentation.
Axis<Presentation> ReadView(const PresentationView& view);

}  // namespace tally::settlement

// When there is nothing left to wait for. Pure.
#pragma once

#include "ledger/settlement/answer.h"

namespace tally::settlement {

// Whether only evidence that contradicts what is final could still change the answer: an adjusting
// entry stands; or the tool ran, the result went out and a finalised block holds the transfer; or
// the authorization is dead, nothing was paid, and it is known whether the tool ran. Not while
// either party is advised to wait.
bool IsFinal(const Answer& answer);

}  // namespace tally::settlement

#include "ledger/settlement/finality.h"

#include "ledger/settlement/dossier.h"

namespace tally::settlement {

bool IsFinal(const Answer& answer) {
  if (answer.label == Label::kClosed) return true;
  if (answer.seller_advice == Advice::kWait || answer.buyer_advice == Advice::kWait) return false;
  if (answer.label == Label::kPaid) {
    return answer.axes.settlement.anchor.word == Word::kChainFinalised;
  }
  const bool is_unpaid_for_known = answer.label == Label::kRanUnpaid ||
                                   answer.label == Label::kToolFailed ||
                                   answer.label == Label::kExpired;
  // Dead is only what a finalised block shows.
  return is_unpaid_for_known && IsDead(answer.axes.liveness.value);
}

}  // namespace tally::settlement

// The label and both parties' advice as a table over axes: the first rule that fits. Pure.
#pragma once

#include "ledger/settlement/answer.h"

namespace tally::settlement {

// Everything the table looks at.
struct Situation {
  Presentation presentation = Presentation::kNone;
  Execution execution = Execution::kUnobserved;
  Settlement settlement = Settlement::kNotRequested;
  Liveness liveness = Liveness::kLive;
  Delivery delivery = Delivery::kUnobserved;

  bool is_closed = false;    // an adjusting entry stands
  bool is_conflict = false;  // two terms in one slot, settled over authorised, ran at two resources
  bool is_upfront = false;   // settled first by design
  bool is_run_awaited =
      false;                  // upfront: executions are watched, none was seen, no answer went out
  bool is_time_left = false;  // upfront: the time the terms allow is not over
  bool is_nonce_consumed = false;  // used by a refusal's or the chain's word, no transfer seen
  bool is_answer_seen = false;     // something went back to the buyer
  bool is_time_over = false;       // the authorization's window is over by our clock

  bool is_tool_idempotent = false;
  bool is_same_slot_free =
      false;  // it has a slot, and no other authorization of the purchase exists
  bool is_purchase_blocked =
      false;  // another settlement of the purchase could still move, or moved, money
  bool is_result_in_hand = false;  // the asker holds the result
};

Label LabelOf(const Situation& situation);

struct Advices {
  Advice seller = Advice::kNone;
  Advice buyer = Advice::kNone;
};
Advices AdviceFor(Label label, const Situation& situation);

// True only if this settlement can't move money any more, did not, and no other of the purchase
// can.
bool MayPayAgain(Label label, const Situation& situation);
// True only if calling again can't run the tool a second time to anybody's harm.
bool MayCallAgain(Label label, const Situation& situation);

}  // namespace tally::settlement

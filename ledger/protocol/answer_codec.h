// Answers on the wire: settlement::Answer as v1.Settlement.
#pragma once

#include "ledger/settlement/answer.h"
#include "tallystick/v1/answer.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

// Fills all but `subject` and `timeline`, which an answer does not know. Infinite times stay
// absent.
void ToProto(const settlement::Answer& in, v1::Settlement* out);

}  // namespace tally::protocol

// The sixteen bodies of events, both ways. Shared by the wire and the store.
#pragma once

#include "ledger/protocol/field_reader.h"
#include "ledger/settlement/event.h"
#include "tallystick/v1/events.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

void ToProto(const settlement::Body& in, v1::EventBody* out);
// FIELD_MISSING when none is set.
void Read(FieldReader& reader, const v1::EventBody& in, settlement::Body& out);

}  // namespace tally::protocol

// Events in a store: bytes of tallystick.storage.v1.Envelope, which hold all of an event that is
// not in its row's columns.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/settlement/event.h"

namespace tally::protocol {

// Deterministic: equal events give equal bytes. Always readable again: text that is not UTF-8 is
// kept with U+FFFD in the place of ill-formed bytes.
std::string EncodeEnvelope(const settlement::Event& event);

// Gives back what EncodeEnvelope() was given. DATA_LOSS when the bytes are no envelope, or hold a
// value this binary does not know.
absl::StatusOr<settlement::Event> DecodeEnvelope(absl::string_view bytes);

}  // namespace tally::protocol

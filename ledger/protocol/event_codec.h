// Events on the wire: settlement::Event and RecordedEvent against their v1 messages.
#pragma once

#include <cstddef>

#include "absl/status/statusor.h"
#include "ledger/settlement/event.h"
#include "tallystick/v1/events.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;

inline constexpr std::size_t kPaymentDocumentBytesMax = 64 * 1024;

// Times are cut to microseconds; the window of Terms is whole seconds of the chain's clock.
void ToProto(const settlement::Event& in, v1::Event* out);
void ToProto(const settlement::RecordedEvent& in, v1::RecordedEvent* out);

// An event from a request, with everything checked that a typed field can be checked for:
// FIELD_MALFORMED, FIELD_MISSING, ENUM_UNSPECIFIED or LIMIT_EXCEEDED, metadata "field" with the
// dotted path in v1.Event. `payment_document` is the caller's to read: with one, the subject may be
// left out (its key is then empty), and so may the terms of a PaymentPresented. ExecutionClaimed is
// refused: only ClaimExecution may write it.
absl::StatusOr<settlement::Event> FromProto(const v1::Event& in);

// An event from a ledger. Only what would be lost is an error: FIELD_MISSING, ENUM_UNSPECIFIED.
absl::StatusOr<settlement::RecordedEvent> FromProto(const v1::RecordedEvent& in);

}  // namespace tally::protocol

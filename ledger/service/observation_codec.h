// Observations on the wire against observation::Observation.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/observation/observation.h"
#include "tallystick/v1/ledger_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Source and recorder are the request's, and left as they are. What only the kind's own reader can
// tell is left to it. FIELD_MISSING, FIELD_MALFORMED or ENUM_UNSPECIFIED with the path in
// v1.Observation.
absl::StatusOr<observation::Observation> FromProto(const v1::Observation& in);
void ToProto(const observation::Observation& in, v1::Observation* out);

// Name of the kind's field: mcp_frame, …; empty when none is set.
absl::string_view KindFieldOf(const v1::Observation& in);

}  // namespace tally::service

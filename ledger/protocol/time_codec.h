// absl::Time and google.protobuf.Timestamp, to the microsecond.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/timestamp.pb.h"

namespace tally::protocol {

// What is outside of the years 1 to 9999, which a Timestamp can't say, becomes their first or last
// microsecond.
void ToProto(absl::Time time, google::protobuf::Timestamp* out);

// FIELD_MALFORMED (field `field`) outside of those years. Nanoseconds are cut.
absl::StatusOr<absl::Time> FromProto(absl::string_view field,
                                     const google::protobuf::Timestamp& time);

}  // namespace tally::protocol

// absl::Status across gRPC: the bytes of google.rpc.Status that `grpc-status-details-bin` carries.
// One mapping out, one back, the same Reason on both sides.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/rpc/status.pb.h"

namespace tally::protocol {

inline constexpr absl::string_view kErrorDomain = "tallystick";

// Code, message, ErrorInfo with reason and metadata, and RetryInfo where a wait on the caller's
// side helps. Empty for OK. Shortened to what a gRPC trailer can carry (8 KiB in all by default).
std::string EncodeStatusDetails(const absl::Status& status);

// The same as a message, for errors that are an answer of their own.
void ToProto(const absl::Status& status, google::rpc::Status* out);
absl::Status FromProto(const google::rpc::Status& status);

// The status behind a failed call: `code` and `message` as gRPC says them, `details` as it carries
// them. Without readable details of our domain it has code and message only, and ReasonOf() is
// nullopt.
absl::Status DecodeStatus(int code, absl::string_view message, absl::string_view details);

}  // namespace tally::protocol

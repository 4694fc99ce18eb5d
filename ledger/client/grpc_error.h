// Internal to client: why a call failed, whoever says so.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"

namespace tally::client {

// What the server said, reason and metadata included; else what gRPC itself says (metadata
// "address").
absl::Status FromGrpc(const std::string& address, const grpc::Status& status);

}  // namespace tally::client

// Internal to rpc: statuses as gRPC sends them.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"

namespace tally::server::rpc {

// With reason and metadata in the details; shortened to what a trailer can carry.
grpc::Status ToGrpc(const absl::Status& status);

}  // namespace tally::server::rpc

// Internal to rpc: what all calls share.
#pragma once

#include <grpcpp/completion_queue.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "server/rpc/desk.h"
#include "server/rpc/executor.h"
#include "server/rpc/roster.h"

namespace tally::server::rpc {

using Refused = std::function<void(const std::string& path, const absl::Status& status)>;

// Outlives them.
struct Hall {
  grpc::ServerCompletionQueue& queue;
  Executor& executor;
  Desk& desk;      // calls with one answer
  Roster& roster;  // streams
  const Refused& on_refused;
};

}  // namespace tally::server::rpc

// grpc.health.v1: whether calls are worth sending here.
#pragma once

#include <atomic>

#include "absl/status/statusor.h"
#include "grpc/health/v1/health.pb.h"
#include "ledger/store/event_store.h"

namespace tally::server {

// Thread-safe.
class Health {
 public:
  // `store` must outlive this.
  explicit Health(store::EventStore& store) : store_(store) {}

  // NOT_SERVING while the store takes no writes, and from StartDraining() on. NOT_FOUND for a
  // service that is not here; the empty name is the server as a whole. May block.
  absl::StatusOr<grpc::health::v1::HealthCheckResponse> Check(
      const grpc::health::v1::HealthCheckRequest& request);
  void StartDraining() { is_draining_ = true; }

 private:
  store::EventStore& store_;
  std::atomic<bool> is_draining_ = false;
};

}  // namespace tally::server

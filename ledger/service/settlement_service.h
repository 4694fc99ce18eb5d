// Use cases that ask. Thread-safe.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/base/clock.h"
#include "ledger/store/event_store.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Errors are those named at the RPCs. All may block on reads of the store.
class SettlementService {
 public:
  // Both must outlive this.
  SettlementService(store::EventStore& store, const Clock& clock) : store_(store), clock_(clock) {}

  absl::StatusOr<v1::GetSettlementResponse> GetSettlement(const v1::GetSettlementRequest& request);
  absl::StatusOr<v1::BatchGetSettlementsResponse> BatchGetSettlements(
      const v1::BatchGetSettlementsRequest& request);
  absl::StatusOr<v1::ListSettlementsResponse> ListSettlements(
      const v1::ListSettlementsRequest& request);
  absl::StatusOr<v1::ReadEventsResponse> ReadEvents(const v1::ReadEventsRequest& request);
  absl::StatusOr<v1::GetStatisticsResponse> GetStatistics(const v1::GetStatisticsRequest& request);

 private:
  store::EventStore& store_;
  const Clock& clock_;
};

}  // namespace tally::service

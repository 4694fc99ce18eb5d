// Use cases of operators. Thread-safe.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/store/event_store.h"
#include "tallystick/v1/admin_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Errors are those named at the RPCs. All may block.
class AdminService {
 public:
  // `store` must outlive this.
  explicit AdminService(store::EventStore& store) : store_(store) {}

  absl::StatusOr<v1::CreateLedgerResponse> CreateLedger(const v1::CreateLedgerRequest& request);
  absl::StatusOr<v1::GetLedgerResponse> GetLedger(const v1::GetLedgerRequest& request);
  absl::StatusOr<v1::ListLedgersResponse> ListLedgers(const v1::ListLedgersRequest& request);
  absl::StatusOr<v1::BackupResponse> Backup(const v1::BackupRequest& request);

 private:
  store::EventStore& store_;
};

}  // namespace tally::service

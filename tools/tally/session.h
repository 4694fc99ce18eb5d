// How verbs reach the ledgers: through a server or a file they must not care. The one place that
// knows both.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "ledger/client/streams.h"
#include "tallystick/v1/admin_service.pb.h"
#include "tallystick/v1/ledger_service.pb.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tools/tally/options.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

// The RPCs that verbs use, with the errors named at them.
class Api {
 public:
  virtual ~Api() = default;
  virtual absl::StatusOr<v1::ObserveResponse> Observe(const v1::ObserveRequest& request) = 0;
  virtual absl::StatusOr<v1::GetSettlementResponse> GetSettlement(
      const v1::GetSettlementRequest& request) = 0;
  virtual absl::StatusOr<v1::ListSettlementsResponse> ListSettlements(
      const v1::ListSettlementsRequest& request) = 0;
  virtual absl::StatusOr<v1::ReadEventsResponse> ReadEvents(
      const v1::ReadEventsRequest& request) = 0;
  virtual absl::StatusOr<v1::GetStatisticsResponse> GetStatistics(
      const v1::GetStatisticsRequest& request) = 0;
  // Of a server only: FIELD_MALFORMED with a file, whose writer may be another process.
  virtual absl::StatusOr<std::unique_ptr<client::Incoming<v1::SubscribeEventsResponse>>>
  SubscribeEvents(const v1::SubscribeEventsRequest& request) = 0;
  virtual absl::StatusOr<std::unique_ptr<client::Incoming<v1::WatchSettlementResponse>>>
  WatchSettlement(const v1::WatchSettlementRequest& request) = 0;
  virtual absl::StatusOr<v1::CreateLedgerResponse> CreateLedger(
      const v1::CreateLedgerRequest& request) = 0;
  virtual absl::StatusOr<v1::GetLedgerResponse> GetLedger(const v1::GetLedgerRequest& request) = 0;
  virtual absl::StatusOr<v1::ListLedgersResponse> ListLedgers(
      const v1::ListLedgersRequest& request) = 0;
  virtual absl::StatusOr<v1::BackupResponse> Backup(const v1::BackupRequest& request) = 0;
};

enum class Access {
  kRead,    // a file may be open in a server meanwhile
  kWrite,   // takes the file's lock: DATABASE_HELD names who has it
  kCreate,  // the same, and makes the file when it is not there
};

// SERVER_UNREACHABLE shows at the first request. FIELD_MALFORMED when there is no such file;
// DATABASE_HELD, DATABASE_UNUSABLE, SCHEMA_NEWER, DATA_LOSS.
absl::StatusOr<std::unique_ptr<Api>> OpenApi(const Target& target, Access access);

}  // namespace tally::cli

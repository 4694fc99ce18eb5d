// A typed client of a ledger's server: one method an RPC, those with one answer with a deadline. No
// gRPC shows.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/client/streams.h"
#include "tallystick/v1/admin_service.pb.h"
#include "tallystick/v1/ledger_service.pb.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::client {

namespace v1 = ::tallystick::v1;

// Thread-safe. Calls block until they are answered or `deadline` from now is over. Errors are the
// server's own, reason and metadata included; beside them SERVER_UNREACHABLE, DEADLINE_EXCEEDED
// (both: the outcome of a write is unknown; the same request may be sent again) and INTERNAL.
class Client {
 public:
  // `host:port` or `unix:path`. Connects with the first call, over a connection of its own.
  explicit Client(absl::string_view address);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const std::string& address() const { return address_; }

  absl::StatusOr<v1::ObserveResponse> Observe(const v1::ObserveRequest& request,
                                              absl::Duration deadline);
  absl::StatusOr<v1::RecordEventsResponse> RecordEvents(const v1::RecordEventsRequest& request,
                                                        absl::Duration deadline);
  absl::StatusOr<v1::ClaimExecutionResponse> ClaimExecution(
      const v1::ClaimExecutionRequest& request, absl::Duration deadline);

  absl::StatusOr<v1::GetSettlementResponse> GetSettlement(const v1::GetSettlementRequest& request,
                                                          absl::Duration deadline);
  absl::StatusOr<v1::BatchGetSettlementsResponse> BatchGetSettlements(
      const v1::BatchGetSettlementsRequest& request, absl::Duration deadline);
  absl::StatusOr<v1::ListSettlementsResponse> ListSettlements(
      const v1::ListSettlementsRequest& request, absl::Duration deadline);
  absl::StatusOr<v1::ReadEventsResponse> ReadEvents(const v1::ReadEventsRequest& request,
                                                    absl::Duration deadline);
  absl::StatusOr<v1::GetStatisticsResponse> GetStatistics(const v1::GetStatisticsRequest& request,
                                                          absl::Duration deadline);

  // Streams have no deadline: they last until one side ends them, and may outlive this. What can't
  // be begun shows at the first Next(). After a lost connection go on where the last message left
  // off: `through_position`, or the batches without an answer.
  std::unique_ptr<RecordStream> RecordEventStream();
  std::unique_ptr<Incoming<v1::SubscribeEventsResponse>> SubscribeEvents(
      const v1::SubscribeEventsRequest& request);
  std::unique_ptr<Incoming<v1::WatchSettlementResponse>> WatchSettlement(
      const v1::WatchSettlementRequest& request);

  absl::StatusOr<v1::CreateLedgerResponse> CreateLedger(const v1::CreateLedgerRequest& request,
                                                        absl::Duration deadline);
  absl::StatusOr<v1::GetLedgerResponse> GetLedger(const v1::GetLedgerRequest& request,
                                                  absl::Duration deadline);
  absl::StatusOr<v1::ListLedgersResponse> ListLedgers(const v1::ListLedgersRequest& request,
                                                      absl::Duration deadline);
  absl::StatusOr<v1::BackupResponse> Backup(const v1::BackupRequest& request,
                                            absl::Duration deadline);

 private:
  struct Stubs;
  const std::string address_;
  const std::unique_ptr<Stubs> stubs_;
};

}  // namespace tally::client

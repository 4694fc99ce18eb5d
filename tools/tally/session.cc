#include "tools/tally/session.h"

#include "ledger/client/client.h"
#include "tools/tally/embedded_api.h"

namespace tally::cli {
namespace {

class ServerApi final : public Api {
 public:
  ServerApi(const std::string& address, absl::Duration deadline)
      : client_(address), deadline_(deadline) {}

  absl::StatusOr<v1::ObserveResponse> Observe(const v1::ObserveRequest& request) override {
    return client_.Observe(request, deadline_);
  }
  absl::StatusOr<v1::GetSettlementResponse> GetSettlement(
      const v1::GetSettlementRequest& request) override {
    return client_.GetSettlement(request, deadline_);
  }
  absl::StatusOr<v1::ListSettlementsResponse> ListSettlements(
      const v1::ListSettlementsRequest& request) override {
    return client_.ListSettlements(request, deadline_);
  }
  absl::StatusOr<v1::ReadEventsResponse> ReadEvents(const v1::ReadEventsRequest& request) override {
    return client_.ReadEvents(request, deadline_);
  }
  absl::StatusOr<v1::GetStatisticsResponse> GetStatistics(
      const v1::GetStatisticsRequest& request) override {
    return client_.GetStatistics(request, deadline_);
  }
  absl::StatusOr<std::unique_ptr<client::Incoming<v1::SubscribeEventsResponse>>> SubscribeEvents(
      const v1::SubscribeEventsRequest& request) override {
    return client_.SubscribeEvents(request);
  }
  absl::StatusOr<std::unique_ptr<client::Incoming<v1::WatchSettlementResponse>>> WatchSettlement(
      const v1::WatchSettlementRequest& request) override {
    return client_.WatchSettlement(request);
  }
  absl::StatusOr<v1::CreateLedgerResponse> CreateLedger(
      const v1::CreateLedgerRequest& request) override {
    return client_.CreateLedger(request, deadline_);
  }
  absl::StatusOr<v1::GetLedgerResponse> GetLedger(const v1::GetLedgerRequest& request) override {
    return client_.GetLedger(request, deadline_);
  }
  absl::StatusOr<v1::ListLedgersResponse> ListLedgers(
      const v1::ListLedgersRequest& request) override {
    return client_.ListLedgers(request, deadline_);
  }
  absl::StatusOr<v1::BackupResponse> Backup(const v1::BackupRequest& request) override {
    return client_.Backup(request, deadline_);
  }

 private:
  client::Client client_;
  const absl::Duration deadline_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Api>> OpenApi(const Target& target, Access access) {
  if (target.server.empty()) return OpenEmbedded(target.database, access);
  return std::unique_ptr<Api>(std::make_unique<ServerApi>(target.server, target.deadline));
}

}  // namespace tally::cli

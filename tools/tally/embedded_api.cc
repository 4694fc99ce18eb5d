#include "tools/tally/embedded_api.h"

#include <filesystem>
#include <future>
#include <system_error>
#include <utility>

#include "ledger/base/clock.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/service/admin_service.h"
#include "ledger/service/context.h"
#include "ledger/service/ledger_service.h"
#include "ledger/service/random_ids.h"
#include "ledger/service/settlement_service.h"
#include "ledger/store/sqlite/sqlite_event_store.h"

namespace tally::cli {
namespace {

// The clock outlives every store of this process.
const Clock& TheClock() {
  static const SystemClock kClock;
  return kClock;
}

// What is new only the process that writes can tell.
absl::Status NeedsServer() {
  return FieldError("--database", "a file", "--server ADDR: what comes is told by the server");
}

class EmbeddedApi final : public Api {
 public:
  explicit EmbeddedApi(std::unique_ptr<store::EventStore> store)
      : store_(std::move(store)),
        ledgers_(*store_, ids_),
        settlements_(*store_, TheClock()),
        admin_(*store_) {}

  absl::StatusOr<v1::ObserveResponse> Observe(const v1::ObserveRequest& request) override {
    auto promise = std::make_shared<std::promise<absl::StatusOr<v1::ObserveResponse>>>();
    std::future<absl::StatusOr<v1::ObserveResponse>> response = promise->get_future();
    ledgers_.Observe({"local"}, request, [promise](absl::StatusOr<v1::ObserveResponse> done) {
      promise->set_value(std::move(done));
    });
    return response.get();
  }
  absl::StatusOr<v1::GetSettlementResponse> GetSettlement(
      const v1::GetSettlementRequest& request) override {
    return settlements_.GetSettlement(request);
  }
  absl::StatusOr<v1::ListSettlementsResponse> ListSettlements(
      const v1::ListSettlementsRequest& request) override {
    return settlements_.ListSettlements(request);
  }
  absl::StatusOr<v1::ReadEventsResponse> ReadEvents(const v1::ReadEventsRequest& request) override {
    return settlements_.ReadEvents(request);
  }
  absl::StatusOr<v1::GetStatisticsResponse> GetStatistics(
      const v1::GetStatisticsRequest& request) override {
    return settlements_.GetStatistics(request);
  }
  absl::StatusOr<std::unique_ptr<client::Incoming<v1::SubscribeEventsResponse>>> SubscribeEvents(
      const v1::SubscribeEventsRequest& /*request*/) override {
    return NeedsServer();
  }
  absl::StatusOr<std::unique_ptr<client::Incoming<v1::WatchSettlementResponse>>> WatchSettlement(
      const v1::WatchSettlementRequest& /*request*/) override {
    return NeedsServer();
  }
  absl::StatusOr<v1::CreateLedgerResponse> CreateLedger(
      const v1::CreateLedgerRequest& request) override {
    return admin_.CreateLedger(request);
  }
  absl::StatusOr<v1::GetLedgerResponse> GetLedger(const v1::GetLedgerRequest& request) override {
    return admin_.GetLedger(request);
  }
  absl::StatusOr<v1::ListLedgersResponse> ListLedgers(
      const v1::ListLedgersRequest& request) override {
    return admin_.ListLedgers(request);
  }
  absl::StatusOr<v1::BackupResponse> Backup(const v1::BackupRequest& request) override {
    return admin_.Backup(request);
  }

 private:
  service::RandomIds ids_;
  std::unique_ptr<store::EventStore> store_;
  service::LedgerService ledgers_;
  service::SettlementService settlements_;
  service::AdminService admin_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<store::EventStore>> OpenStore(const std::string& path,
                                                             Access access) {
  std::error_code ignored;
  if (access != Access::kCreate && !std::filesystem::exists(path, ignored)) {
    // A slip of the pen must not leave an empty database behind.
    return FieldError("--database", path,
                      "a database that is there; `tally ledger create` makes one");
  }
  store::SqliteEventStore::Options options;
  options.path = path;
  options.mode = access == Access::kRead ? store::SqliteEventStore::Mode::kReadOnly
                                         : store::SqliteEventStore::Mode::kReadWrite;
  TALLY_ASSIGN_OR_RETURN(std::unique_ptr<store::EventStore> store,
                         store::SqliteEventStore::Open(options, TheClock()));
  return store;
}

absl::StatusOr<std::unique_ptr<Api>> OpenEmbedded(const std::string& path, Access access) {
  TALLY_ASSIGN_OR_RETURN(std::unique_ptr<store::EventStore> store, OpenStore(path, access));
  return std::unique_ptr<Api>(std::make_unique<EmbeddedApi>(std::move(store)));
}

}  // namespace tally::cli

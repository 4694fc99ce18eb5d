// What a failing disk does to a server: callers are told, and so is who watches it.
#include "server/health.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/service/random_ids.h"
#include "ledger/service/settlement_streams.h"
#include "ledger/store/sqlite/sqlite_event_store.h"
#include "server/methods.h"
#include "server/rpc/executor.h"
#include "server/rpc/server.h"
#include "tests/server/raw_call.h"
#include "tests/server/requests.h"
#include "tests/server/tallyd_process.h"
#include "tests/support/faulty_disk.h"

namespace tally::server {
namespace {

using grpc::health::v1::HealthCheckResponse;
using support::DiskCall;
using support::DiskFault;

// A server in this process, over a disk in memory.
class ServerOnFaultyDisk {
 public:
  ServerOnFaultyDisk(const support::FaultyDisk& disk, const std::string& folder) {
    store::SqliteEventStore::Options options;
    options.path = folder + "/tally.db";
    options.vfs = disk.vfs();
    store_ = *store::SqliteEventStore::Open(options, clock_);
    health_ = std::make_unique<Health>(*store_);
    ledger_ = std::make_unique<service::LedgerService>(*store_, ids_);
    settlement_ = std::make_unique<service::SettlementService>(*store_, clock_);
    admin_ = std::make_unique<service::AdminService>(*store_);
    rpc::Server::Options server;
    server.listen = {*ListenAddress::Parse("127.0.0.1:0")};
    streams_ = std::make_unique<service::SettlementStreams>(
        *store_, clock_, [this](std::function<void()> task) { executor_.Post(std::move(task)); });
    server_ = *rpc::Server::Start(server, executor_,
                                  Methods(*ledger_, *settlement_, *streams_, *admin_, *health_));
  }

  const std::string& address() const { return server_->addresses().front(); }
  HealthCheckResponse::ServingStatus Status() const {
    HealthCheckResponse response;
    const grpc::Status status = RawCall(address(), "/grpc.health.v1.Health/Check",
                                        grpc::health::v1::HealthCheckRequest(), &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.status();
  }

 private:
  SystemClock clock_;
  service::RandomIds ids_;
  std::unique_ptr<store::SqliteEventStore> store_;
  std::unique_ptr<Health> health_;
  std::unique_ptr<service::LedgerService> ledger_;
  std::unique_ptr<service::SettlementService> settlement_;
  std::unique_ptr<service::AdminService> admin_;
  rpc::Executor executor_{2, 4096};
  std::unique_ptr<service::SettlementStreams> streams_;
  std::unique_ptr<rpc::Server> server_;  // last: it uses all the others
};

class HealthTest : public ::testing::Test {
 protected:
  HealthTest() : folder_(NewFolder()) {}
  ~HealthTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_;
  support::FaultyDisk disk_;
};

TEST_F(HealthTest, FailedSyncIsNotServingUntilARestart) {
  {
    const ServerOnFaultyDisk server(disk_, folder_);
    client::Client client(server.address());
    ASSERT_TRUE(CreateShop(client).ok());
    ASSERT_TRUE(client.RecordEvents(OneEvent("a", 1), kPatience).ok());
    EXPECT_EQ(server.Status(), HealthCheckResponse::SERVING);

    disk_.FailAt(DiskCall::kSync, 0, DiskFault::kInputOutput, false);
    const absl::Status unknown = client.RecordEvents(OneEvent("b", 1), kPatience).status();
    EXPECT_EQ(ReasonOf(unknown), Reason::kStoreStopped) << unknown;
    EXPECT_EQ(server.Status(), HealthCheckResponse::NOT_SERVING);
    EXPECT_EQ(ReasonOf(client.RecordEvents(OneEvent("c", 1), kPatience).status()),
              Reason::kStoreStopped);
    EXPECT_EQ(AllEvents(client).size(), 1U) << "reads go on";
  }
  const ServerOnFaultyDisk server(disk_, folder_);
  client::Client client(server.address());
  EXPECT_EQ(server.Status(), HealthCheckResponse::SERVING);
  ASSERT_TRUE(client.RecordEvents(OneEvent("b", 1), kPatience).ok());
  EXPECT_EQ(AllEvents(client).size(), 2U);
}

TEST_F(HealthTest, FullDiskIsServingAndWritesReturn) {
  const ServerOnFaultyDisk server(disk_, folder_);
  client::Client client(server.address());
  ASSERT_TRUE(CreateShop(client).ok());
  disk_.SetCapacity(disk_.used());
  // The log has room for a few.
  int recorded = 0;
  absl::Status full;
  for (; full.ok() && recorded < 1000; ++recorded) {
    full = client.RecordEvents(OneEvent(absl::StrCat("b", recorded), 2), kPatience).status();
  }
  --recorded;
  EXPECT_EQ(ReasonOf(full), Reason::kDatabaseFull) << full;
  EXPECT_EQ(server.Status(), HealthCheckResponse::SERVING);
  disk_.SetCapacity(disk_.used() + 1'000'000);
  EXPECT_TRUE(client.RecordEvents(OneEvent("a", 1), kPatience).ok());
  EXPECT_EQ(AllEvents(client).size(), static_cast<std::size_t>(recorded) + 1);
}

}  // namespace
}  // namespace tally::server

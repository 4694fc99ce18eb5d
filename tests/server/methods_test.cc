#include "server/methods.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "ledger/service/random_ids.h"
#include "ledger/store/memory/memory_event_store.h"

namespace tally::server {
namespace {

const google::protobuf::FileDescriptor* FileOf(const std::string& name) {
  return google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
      absl::StrCat("tallystick/v1/", name, ".proto"));
}

class MethodsTest : public ::testing::Test {
 protected:
  SystemClock clock_;
  store::MemoryEventStore store_{clock_};
  service::RandomIds ids_;
  service::LedgerService ledger_{store_, ids_};
  service::SettlementService settlement_{store_, clock_};
  service::SettlementStreams streams_{store_, clock_, [](const auto& task) { task(); }};
  service::AdminService admin_{store_};
  Health health_{store_};
};

TEST_F(MethodsTest, EveryRpcIsThereOnce) {
  std::multiset<std::string> served;
  for (const rpc::Method& method : Methods(ledger_, settlement_, streams_, admin_, health_)) {
    served.insert(method.path);
  }
  std::multiset<std::string> declared = {"/grpc.health.v1.Health/Check"};
  for (const auto* file :
       {FileOf("ledger_service"), FileOf("settlement_service"), FileOf("admin_service")}) {
    for (int s = 0; s < file->service_count(); ++s) {
      const auto* service = file->service(s);
      for (int m = 0; m < service->method_count(); ++m) {
        declared.insert(absl::StrCat("/", service->full_name(), "/", service->method(m)->name()));
      }
    }
  }
  EXPECT_EQ(served, declared);
}

TEST_F(MethodsTest, HealthKnowsItsServicesAndTheEnd) {
  using Response = grpc::health::v1::HealthCheckResponse;
  grpc::health::v1::HealthCheckRequest request;
  EXPECT_EQ(health_.Check(request)->status(), Response::SERVING);
  request.set_service("tallystick.v1.LedgerService");
  EXPECT_EQ(health_.Check(request)->status(), Response::SERVING);
  request.set_service("tallystick.v1.Nothing");
  EXPECT_EQ(health_.Check(request).status().code(), absl::StatusCode::kNotFound);
  health_.StartDraining();
  request.clear_service();
  EXPECT_EQ(health_.Check(request)->status(), Response::NOT_SERVING);
}

TEST_F(MethodsTest, ExecutionIdsDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(ids_.NewExecutionId());
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_THAT(*ids.begin(), ::testing::MatchesRegex("exe_[a-z2-7]+"));
  EXPECT_EQ(ids.begin()->size(), 30U);
}

}  // namespace
}  // namespace tally::server

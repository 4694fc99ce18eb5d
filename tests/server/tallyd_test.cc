// The built program, from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <atomic>
#include <map>
#include <thread>

#include "absl/strings/match.h"
#include "grpc/health/v1/health.pb.h"
#include "ledger/base/error.h"
#include "tests/server/raw_call.h"
#include "tests/server/requests.h"
#include "tests/server/tallyd_process.h"

namespace tally::server {
namespace {

using ::testing::HasSubstr;

TEST(TallydTest, SaysItsVersionAndHelps) {
  const Ended version = RunTallyd({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, ::testing::MatchesRegex("tallyd [0-9.]+\n"));
  const Ended help = RunTallyd({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--database", "TALLY_DATABASE", "--listen", "TALLY_LISTEN", "SIGTERM"}) {
    EXPECT_THAT(help.out, HasSubstr(word));
  }
}

TEST(TallydTest, BadFlagsAreUsage) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"--databse", "x"},
                                             {"--database", "x", "--log-level", "loud"},
                                             {"--database", "x", "--listen", "nowhere"}}) {
    const Ended ended = RunTallyd(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_NE(ended.err, "");
    EXPECT_EQ(ended.out, "");
  }
}

TEST(TallydTest, AddressThatOthersReachIsRefused) {
  const Ended ended = RunTallyd({"--database", NewFolder() + "/tally.db", "--listen", "0.0.0.0:0"});
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("ADDRESS_REFUSED"));
  EXPECT_THAT(ended.err, HasSubstr("credentials"));
}

TEST(TallydTest, AddressInUseIsRefused) {
  const Tallyd first(NewFolder() + "/tally.db");
  ASSERT_NE(first.address(), "");
  const Ended second =
      RunTallyd({"--database", NewFolder() + "/tally.db", "--listen", first.address()});
  EXPECT_EQ(second.code, 4);
  EXPECT_THAT(second.err, HasSubstr("ADDRESS_REFUSED"));
  EXPECT_THAT(second.err, HasSubstr("in use"));
}

TEST(TallydTest, DatabaseOfAnotherProcessIsRefused) {
  const std::string database = NewFolder() + "/tally.db";
  const Tallyd first(database);
  ASSERT_NE(first.address(), "");
  const Ended second = RunTallyd({"--database", database, "--listen", "127.0.0.1:0"});
  EXPECT_EQ(second.code, 4);
  EXPECT_THAT(second.err, HasSubstr("DATABASE_HELD"));
}

TEST(TallydTest, IsHealthyAndListsItsServices) {
  const Tallyd tallyd(NewFolder() + "/tally.db");
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status = RawCall(tallyd.address(), "/grpc.health.v1.Health/Check",
                                      grpc::health::v1::HealthCheckRequest(), &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);

  // list_services = 7, file_containing_symbol = 4
  const std::string services = Reflect(tallyd.address(), "\x3a\x01*");
  for (const char* name : {"tallystick.v1.LedgerService", "tallystick.v1.SettlementService",
                           "tallystick.v1.AdminService", "grpc.health.v1.Health"}) {
    EXPECT_THAT(services, HasSubstr(name));
  }
  EXPECT_THAT(Reflect(tallyd.address(), "\x22\x1btallystick.v1.LedgerService"),
              HasSubstr("ClaimExecutionRequest"));
}

TEST(TallydTest, ErrorArrivesWithReasonAndMetadata) {
  const Tallyd tallyd(NewFolder() + "/tally.db");
  client::Client client(tallyd.address());
  ASSERT_TRUE(CreateShop(client).ok());
  v1::GetSettlementRequest request;
  request.mutable_key()->set_settlement_id("sha256:12");
  const absl::Status malformed = client.GetSettlement(request, kPatience).status();
  EXPECT_EQ(ReasonOf(malformed), Reason::kFieldMalformed) << malformed;
  EXPECT_THAT(MetadataOf(malformed)["field"], HasSubstr("settlement_id"));
  request.mutable_key()->set_settlement_id(SettlementId(1));
  const absl::Status unknown = client.GetSettlement(request, kPatience).status();
  EXPECT_EQ(ReasonOf(unknown), Reason::kNotRecorded) << unknown;
}

TEST(TallydTest, ServerThatIsNotThereIsUnreachable) {
  client::Client client("unix:" + NewFolder() + "/nobody");
  EXPECT_EQ(ReasonOf(client.ListLedgers({}, kPatience).status()), Reason::kServerUnreachable);
}

TEST(TallydTest, UnixSocketIsPrivateAndTakenOverOnlyWhenDead) {
  const std::string folder = NewFolder();
  const std::string listen = "unix:" + folder + "/sock";
  {
    const Tallyd tallyd(folder + "/tally.db", listen);
    ASSERT_EQ(tallyd.address(), listen);
    struct stat found {};
    ASSERT_EQ(stat((folder + "/sock").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0600U);
    client::Client client(listen);
    EXPECT_TRUE(CreateShop(client).ok());
    const Ended second = RunTallyd({"--database", folder + "/other.db", "--listen", listen});
    EXPECT_EQ(second.code, 4);
    EXPECT_TRUE(CreateShop(client).ok());
  }  // killed: the socket stays behind
  const Tallyd again(folder + "/tally.db", listen);
  client::Client client(listen);
  EXPECT_EQ(client.ListLedgers({}, kPatience)->ledgers_size(), 1);
}

TEST(TallydTest, SigtermEndsAnIdleServer) {
  Tallyd tallyd(NewFolder() + "/tally.db");
  tallyd.Signal(SIGTERM);
  EXPECT_EQ(tallyd.AwaitEnd(), 0);
}

TEST(TallydTest, SecondSignalEndsAtOnce) {
  Tallyd tallyd(NewFolder() + "/tally.db");
  const HeldCall held(tallyd.address());
  tallyd.Signal(SIGTERM);
  // The first signal was taken once nobody is let in any more.
  client::Client client(tallyd.address());
  while (client.ListLedgers({}, kPatience).ok()) {
  }
  tallyd.Signal(SIGTERM);
  EXPECT_EQ(tallyd.AwaitEnd(), 128 + SIGTERM);
}

// Writes until the server refuses, and keeps what it acknowledged.
class Writer {
 public:
  Writer(const std::string& address, int number) : client_(address), number_(number) {}

  void Run(std::atomic<int>& acknowledged) {
    for (int i = 0; refusal_.ok(); ++i) {
      const std::string id = absl::StrCat("w", number_, "-", i);
      const auto response =
          client_.RecordEvents(OneEvent(id, static_cast<std::uint64_t>(number_)), kPatience);
      if (response.ok()) {
        positions_[id] = response->receipts(0).position();
        ++acknowledged;
      }
      refusal_ = response.status();
    }
  }
  const std::map<std::string, std::int64_t>& positions() const { return positions_; }
  const absl::Status& refusal() const { return refusal_; }

 private:
  client::Client client_;
  const int number_;
  std::map<std::string, std::int64_t> positions_;
  absl::Status refusal_;
};

TEST(TallydTest, SigtermLosesNothingThatWasAcknowledged) {
  constexpr int kWriters = 32;
  const std::string database = NewFolder() + "/tally.db";
  Tallyd tallyd(database);
  client::Client client(tallyd.address());
  ASSERT_TRUE(CreateShop(client).ok());

  std::atomic<int> acknowledged = 0;
  std::vector<std::unique_ptr<Writer>> writers;
  std::vector<std::thread> threads;
  for (int i = 0; i < kWriters; ++i) {
    writers.push_back(std::make_unique<Writer>(tallyd.address(), i));
    threads.emplace_back([&, writer = writers.back().get()] { writer->Run(acknowledged); });
  }
  while (acknowledged < 10 * kWriters) std::this_thread::yield();
  tallyd.Signal(SIGTERM);
  EXPECT_EQ(tallyd.AwaitEnd(), 0);
  for (std::thread& thread : threads) thread.join();

  const Tallyd again(database);
  client::Client reader(again.address());
  std::map<std::string, std::int64_t> recorded;
  std::int64_t last = 0;
  for (const v1::RecordedEvent& event : AllEvents(reader)) {
    EXPECT_EQ(event.position(), ++last);
    recorded[event.event().event_id()] = event.position();
  }
  for (const auto& writer : writers) {
    const std::optional<Reason> reason = ReasonOf(writer->refusal());
    EXPECT_TRUE(reason == Reason::kServerUnreachable || reason == Reason::kStoreStopped)
        << writer->refusal();
    for (const auto& [id, position] : writer->positions()) EXPECT_EQ(recorded[id], position) << id;
  }
}

}  // namespace
}  // namespace tally::server

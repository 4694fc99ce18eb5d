// One payment never buys two runs, whatever dies.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <latch>
#include <map>
#include <memory>
#include <thread>

#include "ledger/base/error.h"
#include "tests/server/requests.h"
#include "tests/server/tallyd_process.h"

namespace tally::server {
namespace {

TEST(ClaimsTest, OneOf64IsGranted) {
  constexpr int kCallers = 64;
  const Tallyd tallyd(NewFolder() + "/tally.db");
  client::Client admin(tallyd.address());
  ASSERT_TRUE(CreateShop(admin).ok());

  std::latch all_ready(kCallers);
  std::vector<absl::StatusOr<v1::ClaimExecutionResponse>> answers(kCallers);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kCallers; ++i) {
    threads.emplace_back([&, i] {
      // Connects, so that the claims meet. A machine short of time can refuse a connection.
      std::unique_ptr<client::Client> client;
      for (int tries = 0; tries < 10; ++tries) {
        client = std::make_unique<client::Client>(tallyd.address());
        if (client->ListLedgers({}, kPatience).ok()) break;
      }
      all_ready.arrive_and_wait();
      answers[i] = client->ClaimExecution(ClaimOf(7, absl::StrCat("caller-", i)), kPatience);
    });
  }
  for (std::thread& thread : threads) thread.join();

  std::vector<std::string> granted;
  for (const auto& answer : answers) {
    ASSERT_TRUE(answer.ok()) << answer.status();
    if (answer->has_granted()) granted.push_back(answer->granted().execution_id());
  }
  ASSERT_EQ(granted.size(), 1U);
  for (const auto& answer : answers) {
    if (answer->has_granted()) continue;
    EXPECT_EQ(answer->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
    EXPECT_EQ(answer->refused().holder_execution_id(), granted.front());
  }
}

// Claims one settlement after the other with one request id each, until the server is gone.
struct Claimer {
  std::uint64_t next = 0;
  std::map<std::uint64_t, std::string> granted;  // execution id by settlement

  void Run(const std::string& address) {
    client::Client client(address);
    while (ClaimNext(client)) {
    }
  }
  bool ClaimNext(client::Client& client) {
    const auto answer =
        client.ClaimExecution(ClaimOf(next, absl::StrCat("purchase-", next)), kPatience);
    if (!answer.ok()) return false;
    EXPECT_TRUE(answer->has_granted()) << answer->refused().reason();
    granted[next] = answer->granted().execution_id();
    ++next;
    return true;
  }
};

TEST(ClaimsTest, KillBetweenGrantAndAnswerGrantsNothingTwice) {
  constexpr int kRounds = 10;
  const std::string database = NewFolder() + "/tally.db";
  Claimer claimer;
  for (int round = 0; round < kRounds; ++round) {
    Tallyd tallyd(database);
    ASSERT_NE(tallyd.address(), "");
    client::Client client(tallyd.address());
    ASSERT_TRUE(CreateShop(client).ok());
    // The claim that the last kill left without an answer is asked for again, as it was.
    ASSERT_TRUE(claimer.ClaimNext(client));
    std::thread claiming([&] { claimer.Run(tallyd.address()); });
    // Kills at another moment of a claim in every round.
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(20'000 + 370 * round);
    while (std::chrono::steady_clock::now() < until) std::this_thread::yield();
    tallyd.Signal(SIGKILL);
    claiming.join();
  }
  const Tallyd tallyd(database);
  client::Client client(tallyd.address());
  ASSERT_TRUE(claimer.ClaimNext(client));

  std::map<std::uint64_t, std::vector<std::string>> recorded;
  for (const v1::RecordedEvent& event : AllEvents(client)) {
    if (!event.event().body().has_execution_claimed()) continue;
    const std::string& id = event.event().subject().settlement_id();
    recorded[std::stoull(id.substr(id.size() - 16), nullptr, 16)].push_back(
        event.event().body().execution_claimed().execution_id());
  }
  EXPECT_EQ(recorded.size(), claimer.next);
  for (const auto& [settlement, execution_id] : claimer.granted) {
    EXPECT_EQ(recorded[settlement], std::vector<std::string>{execution_id}) << settlement;
  }
  // Nobody else gets what was granted.
  const auto other = client.ClaimExecution(ClaimOf(0, "another"), kPatience);
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->refused().holder_execution_id(), claimer.granted[0]);
}

}  // namespace
}  // namespace tally::server

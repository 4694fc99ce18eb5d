// kill -9 while several clients import: what was acknowledged is there after the restart, positions
// have no gap, and the projections are what the events say. TALLY_CRASH_ROUNDS says how often.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/mutex.h"
#include "ledger/client/client.h"
#include "ledger/service/transcript_reader.h"
#include "tests/acceptance/embedded_book.h"
#include "tests/acceptance/in_process.h"
#include "tests/server/tallyd_process.h"

namespace tally::acceptance {
namespace {

constexpr int kWriters = 4;
constexpr absl::Duration kDeadline = absl::Seconds(20);

int Rounds() {
  const char* rounds = getenv("TALLY_CRASH_ROUNDS");
  return rounds == nullptr ? 10 : atoi(rounds);
}

// What the ledger said was on disk: event id → position.
class Acknowledged {
 public:
  void Add(const v1::ObserveResponse& response) {
    const MutexLock lock(mutex_);
    for (const v1::ObservationResult& result : response.results()) {
      for (const v1::Receipt& receipt : result.recorded().receipts()) {
        positions_[receipt.event_id()] = receipt.position();
      }
    }
    changed_.notify_all();
  }
  void AwaitMore(std::size_t more) {
    MutexLock lock(mutex_);
    const std::size_t wanted = positions_.size() + more;
    EXPECT_TRUE(lock.AwaitFor(changed_, std::chrono::minutes(2),
                              [&] { return positions_.size() >= wanted; }));
  }
  std::map<std::string, std::int64_t> Take() const { return positions_; }

 private:
  Mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::int64_t> positions_;
};

// The settled exchange as another payment in another session.
v1::ObserveRequest Exchange(const std::vector<std::string>& lines, std::uint64_t number) {
  const std::string nonce = "0x1c899f8a3ea8582587509964007b9d0aa9e722248d8fffb255ecab305384ac13";
  service::TranscriptReader reader;
  v1::ObserveRequest request;
  request.set_ledger("book");
  request.set_source(v1::SOURCE_KIND_IMPORT);
  for (const std::string& line : lines) {
    auto read = reader.Read(
        absl::StrReplaceAll(line, {{nonce, absl::StrFormat("0x%064x", number)},
                                   {"x402-mcp-settled", absl::StrCat("session-", number)}}));
    EXPECT_TRUE(read.ok()) << read.status();
    if (!read.ok()) continue;
    if (auto* seen = std::get_if<v1::Observation>(&*read)) *request.add_observations() = *seen;
  }
  return request;
}

// Writes until the server is gone.
void WriteUntilKilled(const std::string& address, const std::vector<std::string>& lines,
                      std::atomic<std::uint64_t>& next, Acknowledged& acknowledged) {
  client::Client client(address);
  for (;;) {
    const auto response = client.Observe(Exchange(lines, next++), kDeadline);
    if (!response.ok()) return;
    acknowledged.Add(*response);
  }
}

// Event id → position, and that positions have no gap.
std::map<std::string, std::int64_t> ReadAll(client::Client& client) {
  std::map<std::string, std::int64_t> positions;
  v1::ReadEventsRequest request;
  request.set_page_size(1000);
  for (std::int64_t wanted = 1;;) {
    const auto page = client.ReadEvents(request, kDeadline);
    EXPECT_TRUE(page.ok()) << page.status();
    if (!page.ok() || page->events().empty()) return positions;
    for (const v1::RecordedEvent& event : page->events()) {
      EXPECT_EQ(event.position(), wanted++);
      positions[event.event().event_id()] = event.position();
    }
    request.set_after_position(page->next_after_position());
  }
}

TEST(CrashTest, NothingAcknowledgedIsLost) {
  const EmbeddedBook book;
  const std::vector<std::string> lines =
      LinesOf(support::TestData("transcripts/settled.seller.jsonl"));
  std::atomic<std::uint64_t> next{1};
  Acknowledged acknowledged;
  for (int round = 0; round < Rounds(); ++round) {
    SCOPED_TRACE(round);
    {
      server::Tallyd server(book.database());
      ASSERT_FALSE(server.address().empty());
      std::vector<std::thread> writers;
      writers.reserve(kWriters);
      for (int i = 0; i < kWriters; ++i) {
        writers.emplace_back(
            [&] { WriteUntilKilled(server.address(), lines, next, acknowledged); });
      }
      // Another moment in the writers' work each round, and none that the clock decides.
      acknowledged.AwaitMore(static_cast<std::size_t>(7 + (round * 37) % 150));
      server.Signal(SIGKILL);
      for (std::thread& writer : writers) writer.join();
      EXPECT_EQ(server.AwaitEnd(), 128 + SIGKILL);
    }
    const server::Tallyd again(book.database());
    ASSERT_FALSE(again.address().empty());
    client::Client client(again.address());
    const std::map<std::string, std::int64_t> there = ReadAll(client);
    for (const auto& [event_id, position] : acknowledged.Take()) {
      const auto found = there.find(event_id);
      ASSERT_NE(found, there.end()) << event_id << " was acknowledged and is lost";
      ASSERT_EQ(found->second, position) << event_id;
    }
    const support::Ended rebuilt = book.Run({"rebuild"});
    ASSERT_EQ(rebuilt.code, 0) << rebuilt.err << rebuilt.out;
  }
}

}  // namespace
}  // namespace tally::acceptance

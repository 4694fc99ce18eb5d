// The built server's streams, from outside: resumed, cancelled, read slowly, drained and killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "ledger/base/error.h"
#include "ledger/protocol/status_codec.h"
#include "tests/server/raw_call.h"
#include "tests/server/requests.h"
#include "tests/server/tallyd_process.h"

namespace tally::server {
namespace {

using ::testing::HasSubstr;

v1::SubscribeEventsRequest After(std::int64_t position) {
  v1::SubscribeEventsRequest request;
  request.set_ledger(kShop);
  request.set_after_position(position);
  return request;
}

void Record(client::Client& client, const std::string& event_id, std::uint64_t settlement) {
  const auto response = client.RecordEvents(OneEvent(event_id, settlement), kPatience);
  ASSERT_TRUE(response.ok()) << response.status();
}

// Reads until the position was considered; the positions of the events go to `seen`.
absl::Status ReadThrough(client::Incoming<v1::SubscribeEventsResponse>& stream,
                         std::int64_t position, std::vector<std::int64_t>& seen) {
  for (;;) {
    auto message = stream.Next();
    if (!message.ok()) return message.status();
    if (!message->has_value()) return absl::OutOfRangeError("the stream ended");
    for (const auto& event : (*message)->events()) seen.push_back(event.position());
    if ((*message)->through_position() >= position) return absl::OkStatus();
  }
}

void ExpectAll(const std::vector<std::int64_t>& seen, std::int64_t last) {
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(last));
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], static_cast<std::int64_t>(i) + 1);
  }
}

class StreamsTest : public ::testing::Test {
 protected:
  StreamsTest() { Begin(); }

  void Begin() {
    tallyd_ = std::make_unique<Tallyd>(folder_ + "/tally.db");
    client_ = std::make_unique<client::Client>(tallyd_->address());
    ASSERT_TRUE(CreateShop(*client_).ok());
  }

  const std::string folder_ = NewFolder();
  std::unique_ptr<Tallyd> tallyd_;
  std::unique_ptr<client::Client> client_;
};

TEST_F(StreamsTest, EventsComeFromFileThenLiveAndGoOnAfterAPosition) {
  for (int i = 1; i <= 5; ++i) Record(*client_, absl::StrCat("e", i), 1);
  const auto stream = client_->SubscribeEvents(After(0));
  std::vector<std::int64_t> seen;
  ASSERT_TRUE(ReadThrough(*stream, 5, seen).ok());
  Record(*client_, "e6", 2);
  ASSERT_TRUE(ReadThrough(*stream, 6, seen).ok());
  ExpectAll(seen, 6);
  stream->Cancel();
  EXPECT_EQ(*stream->Next(), std::nullopt);

  std::vector<std::int64_t> rest;
  ASSERT_TRUE(ReadThrough(*client_->SubscribeEvents(After(4)), 6, rest).ok());
  EXPECT_EQ(rest, (std::vector<std::int64_t>{5, 6}));
  const auto refused = client_->SubscribeEvents(After(7))->Next();
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kFieldMalformed);
  EXPECT_EQ(MetadataOf(refused.status())["field"], "after_position");
}

TEST_F(StreamsTest, WatchToldOfWhatIsRecordedMeanwhile) {
  v1::WatchSettlementRequest request;
  request.set_ledger(kShop);
  request.mutable_key()->set_settlement_id(SettlementId(7));
  const auto watch = client_->WatchSettlement(request);
  auto message = watch->Next();
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ((*message)->state(), v1::WATCH_STATE_NOT_RECORDED);
  ASSERT_TRUE(client_->ClaimExecution(ClaimOf(7, "purchase"), kPatience).ok());
  message = watch->Next();
  ASSERT_TRUE(message.ok()) << message.status();
  EXPECT_EQ((*message)->state(), v1::WATCH_STATE_OPEN);
  EXPECT_EQ((*message)->settlement().settlement_id(), SettlementId(7));
}

TEST_F(StreamsTest, BatchesAreAnsweredInOrderAndTheStreamEndsWell) {
  constexpr int kBatches = 200;
  const auto stream = client_->RecordEventStream();
  std::thread sending([&] {
    for (int i = 1; i <= kBatches; ++i) {
      v1::RecordEventsRequest batch = OneEvent(absl::StrCat("e", i), 1);
      if (i == 50) batch.mutable_events(0)->clear_body();
      ASSERT_TRUE(stream->Send(batch));
    }
    stream->SendEnd();
  });
  for (int i = 1; i <= kBatches; ++i) {
    const auto answer = stream->Next();
    ASSERT_TRUE(answer.ok() && answer->has_value()) << answer.status();
    EXPECT_EQ((*answer)->batch_number(), i);
    if (i == 50) {
      const absl::Status refused = protocol::FromProto((*answer)->refused());
      EXPECT_EQ(MetadataOf(refused)["field"], "events[0].body") << refused;
    } else {
      EXPECT_EQ((*answer)->recorded().receipts(0).event_id(), absl::StrCat("e", i));
    }
  }
  EXPECT_EQ(*stream->Next(), std::nullopt);
  sending.join();
  EXPECT_EQ(AllEvents(*client_).size(), static_cast<std::size_t>(kBatches - 1));
}

// Resident memory of the process, in bytes.
std::size_t MemoryOf(pid_t pid) {
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::ifstream(absl::StrCat("/proc/", pid, "/statm")) >> pages >> resident;
  return resident * 4096;
}

TEST_F(StreamsTest, SlowReaderSlowsNobodyAndMissesNothing) {
  constexpr int kBatches = 60;
  constexpr int kEach = 50;
  constexpr std::int64_t kLast = kBatches * kEach;
  const auto slow = client_->SubscribeEvents(After(0));
  std::vector<std::int64_t> seen;
  ASSERT_TRUE(ReadThrough(*slow, 0, seen).ok());
  // More than what is kept in memory for slow readers: 60 × 50 × 16 KiB = 48 MiB.
  client::Client writer(tallyd_->address());
  const auto quick = writer.SubscribeEvents(After(0));
  std::vector<std::int64_t> all;
  const std::size_t before = MemoryOf(tallyd_->pid());
  for (int batch = 0; batch < kBatches; ++batch) {
    v1::RecordEventsRequest request;
    for (int i = 0; i < kEach; ++i) {
      v1::Event* event = request.add_events();
      *event = OneEvent(absl::StrCat(batch, "-", i), 1).events(0);
      event->mutable_document()->set_content(std::string(16 * 1024, 'x'));
    }
    ASSERT_TRUE(writer.RecordEvents(request, kPatience).ok());
    ASSERT_TRUE(ReadThrough(*quick, (batch + 1) * kEach, all).ok());
  }
  ExpectAll(all, kLast);
  // The tail of recent events, SQLite's pages, and a message or two; not another copy for the slow.
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
  EXPECT_LT(MemoryOf(tallyd_->pid()), before + 150U * 1024 * 1024);
#else
  static_cast<void>(before);
#endif
  ASSERT_TRUE(ReadThrough(*slow, kLast, seen).ok());
  ExpectAll(seen, kLast);
}

TEST_F(StreamsTest, SigtermTellsEveryStreamAndEndsWell) {
  Record(*client_, "e1", 1);
  const auto events = client_->SubscribeEvents(After(0));
  std::vector<std::int64_t> seen;
  ASSERT_TRUE(ReadThrough(*events, 1, seen).ok());
  v1::WatchSettlementRequest request;
  request.mutable_key()->set_settlement_id(SettlementId(1));
  const auto watch = client_->WatchSettlement(request);
  ASSERT_TRUE(watch->Next().ok());
  const auto batches = client_->RecordEventStream();
  ASSERT_TRUE(batches->Send(OneEvent("e2", 1)));
  ASSERT_TRUE((*batches->Next())->has_recorded());

  tallyd_->Signal(SIGTERM);
  bool is_drained = false;
  for (auto message = events->Next(); message.ok() && message->has_value();
       message = events->Next()) {
    is_drained = (*message)->marker() == v1::SUBSCRIPTION_MARKER_DRAINING;
    if (is_drained) {
      EXPECT_EQ((*message)->through_position(), 2);
    }
  }
  EXPECT_TRUE(is_drained);
  is_drained = false;
  for (auto message = watch->Next(); message.ok() && message->has_value();
       message = watch->Next()) {
    is_drained = (*message)->state() == v1::WATCH_STATE_DRAINING;
  }
  EXPECT_TRUE(is_drained);
  const auto last = batches->Next();
  ASSERT_TRUE(last.ok() && last->has_value()) << last.status();
  EXPECT_TRUE((*last)->has_draining());
  EXPECT_EQ(*batches->Next(), std::nullopt);
  EXPECT_EQ(tallyd_->AwaitEnd(), 0);
}

// Sends batches until the stream ends, and keeps which were answered.
struct Sender {
  explicit Sender(const std::string& address) : client(address) {}

  void Run(int number, std::atomic<int>& answered) {
    const auto stream = client.RecordEventStream();
    std::thread sending([&] {
      for (int i = 0; stream->Send(
               OneEvent(absl::StrCat("s", number, "-", i), static_cast<std::uint64_t>(number)));
           ++i) {
        sent = i + 1;
      }
    });
    for (;;) {
      const auto answer = stream->Next();
      if (!answer.ok() || !answer->has_value()) break;
      if ((*answer)->has_draining()) {
        is_drained = true;
        continue;
      }
      EXPECT_TRUE((*answer)->has_recorded()) << (*answer)->ShortDebugString();
      for (const v1::Receipt& receipt : (*answer)->recorded().receipts()) {
        acknowledged[receipt.event_id()] = receipt.position();
        ++answered;
      }
    }
    stream->Cancel();
    sending.join();
  }

  client::Client client;
  std::atomic<int> sent = 0;
  bool is_drained = false;
  std::map<std::string, std::int64_t> acknowledged;
};

// SIGTERM lets every batch that was taken be answered; SIGKILL lets nothing be.
class EndsTest : public StreamsTest, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, EndsTest, ::testing::Values(SIGTERM, SIGKILL),
                         [](const auto& of) { return of.param == SIGTERM ? "Term" : "Kill"; });

TEST_P(EndsTest, WhatWasAnsweredIsThereAndTheRestGoesOnByResending) {
  constexpr int kSenders = 4;
  // A follower that resumes where it was, whatever happens to the server.
  std::vector<std::int64_t> followed;
  std::thread following([&, address = tallyd_->address()] {
    client::Client follower(address);
    const auto stream = follower.SubscribeEvents(After(0));
    while (ReadThrough(*stream, static_cast<std::int64_t>(followed.size()) + 1, followed).ok()) {
    }
  });
  std::atomic<int> answered = 0;
  std::vector<std::unique_ptr<Sender>> senders;
  std::vector<std::thread> threads;
  for (int i = 0; i < kSenders; ++i) {
    senders.push_back(std::make_unique<Sender>(tallyd_->address()));
    threads.emplace_back([&, i, sender = senders.back().get()] { sender->Run(i, answered); });
  }
  while (answered < 200) std::this_thread::yield();
  tallyd_->Signal(GetParam());
  EXPECT_EQ(tallyd_->AwaitEnd(), GetParam() == SIGTERM ? 0 : 128 + SIGKILL);
  for (std::thread& thread : threads) thread.join();
  following.join();

  Begin();
  std::map<std::string, std::int64_t> recorded;
  for (const v1::RecordedEvent& event : AllEvents(*client_)) {
    recorded[event.event().event_id()] = event.position();
  }
  int drained = 0;
  for (std::size_t s = 0; s < senders.size(); ++s) {
    const Sender& sender = *senders[s];
    drained += sender.is_drained ? 1 : 0;
    for (const auto& [id, position] : sender.acknowledged) EXPECT_EQ(recorded[id], position) << id;
    // Everything once more: what was there is replayed.
    const auto stream = client_->RecordEventStream();
    std::thread sending([&] {
      for (int i = 0; i < sender.sent; ++i) {
        stream->Send(OneEvent(absl::StrCat("s", s, "-", i), s));
      }
      stream->SendEnd();
    });
    for (auto answer = stream->Next(); answer.ok() && answer->has_value();
         answer = stream->Next()) {
      for (const v1::Receipt& receipt : (*answer)->recorded().receipts()) {
        EXPECT_EQ(receipt.is_replayed(), recorded.count(receipt.event_id()) != 0);
      }
    }
    sending.join();
  }
  // A connection that is closed while the client still sends can take the last words with it.
  EXPECT_EQ(drained > 0, GetParam() == SIGTERM);
  std::vector<std::int64_t> rest = followed;
  const auto last = static_cast<std::int64_t>(AllEvents(*client_).size());
  const auto resumed = client_->SubscribeEvents(After(static_cast<std::int64_t>(followed.size())));
  ASSERT_TRUE(ReadThrough(*resumed, last, rest).ok());
  ExpectAll(rest, last);
}

TEST_F(StreamsTest, ReflectionKnowsWhichSideStreams) {
  // file_containing_symbol = 4; the answer holds the descriptor of the service's file.
  const auto streaming = [&](const std::string& service) {
    const std::string symbol = "tallystick.v1." + service;
    std::string request = "\x22";
    request.push_back(static_cast<char>(symbol.size()));
    return Reflect(tallyd_->address(), request + symbol);
  };
  // A method's descriptor ends with client_streaming = 5 and server_streaming = 6.
  const std::string both("\x28\x01\x30\x01", 4);
  EXPECT_THAT(streaming("LedgerService"),
              HasSubstr(".tallystick.v1.RecordEventStreamResponse" + both));
  const std::string server("\x30\x01", 2);
  EXPECT_THAT(streaming("SettlementService"),
              HasSubstr(".tallystick.v1.SubscribeEventsResponse" + server));
  EXPECT_THAT(streaming("SettlementService"),
              HasSubstr(".tallystick.v1.WatchSettlementResponse" + server));
}

}  // namespace
}  // namespace tally::server

// SubscribeEvents: no gap and no duplicate, wherever events come from and however slow the reader.
#include <gmock/gmock.h>

#include <condition_variable>
#include <thread>

#include "ledger/base/error.h"
#include "ledger/base/mutex.h"
#include "ledger/service/settlement_streams.h"
#include "ledger/store/memory/memory_event_store.h"
#include "tests/ledger/service/pulling.h"
#include "tests/support/events.h"
#include "tests/support/fake_clock.h"

namespace tally::service {
namespace {

using support::Presented;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Response = v1::SubscribeEventsResponse;

class SubscribeTest : public ::testing::Test {
 protected:
  SubscribeTest() { Create("book"); }

  void Create(const std::string& name) {
    store::Ledger ledger;
    ledger.name = name;
    ASSERT_TRUE(store_.CreateLedger(ledger, nullptr).ok());
  }
  void Append(std::vector<settlement::Event> events, const std::string& ledger = "book") {
    const auto receipts = store::AppendAndWait(store_, ledger, std::move(events));
    ASSERT_TRUE(receipts.ok()) << receipts.status();
  }
  // Events `from` to `to` of the payments of these numbers, in one commit each.
  void AppendMany(int from, int to) {
    for (int i = from; i <= to; ++i) Append({Presented(absl::StrCat("e", i), i, i)});
  }
  static v1::SubscribeEventsRequest After(std::int64_t position) {
    v1::SubscribeEventsRequest request;
    request.set_ledger("book");
    request.set_after_position(position);
    return request;
  }
  void Begin(SettlementStreams& streams, const v1::SubscribeEventsRequest& request,
             Pulling<Response>& out) {
    out.Start(streams.SubscribeEvents(request, out.MakeWake()));
  }

  static std::vector<std::int64_t> PositionsOf(const std::vector<Response>& responses) {
    std::vector<std::int64_t> positions;
    for (const Response& response : responses) {
      for (const auto& event : response.events()) positions.push_back(event.position());
    }
    return positions;
  }
  static std::vector<v1::SubscriptionMarker> MarkersOf(const std::vector<Response>& responses) {
    std::vector<v1::SubscriptionMarker> markers;
    for (const Response& response : responses) {
      if (response.marker() != v1::SUBSCRIPTION_MARKER_UNSPECIFIED) {
        markers.push_back(response.marker());
      }
    }
    return markers;
  }

  support::FakeClock clock_;
  store::MemoryEventStore store_{clock_};
  SettlementStreams streams_{store_, clock_, RunAtOnce};
};

TEST_F(SubscribeTest, SendsWhatIsOnFileAndThenWhatComes) {
  AppendMany(1, 3);
  Pulling<Response> reader;
  Begin(streams_, After(0), reader);
  const std::vector<Response> first = reader.PullAll();
  EXPECT_THAT(PositionsOf(first), ElementsAre(1, 2, 3));
  EXPECT_THAT(MarkersOf(first), ElementsAre(v1::SUBSCRIPTION_MARKER_CAUGHT_UP));
  EXPECT_EQ(first.back().through_position(), 3);
  EXPECT_FALSE(reader.woken());

  Append({Presented("x", 7, 7), support::Started("y", 7, 8)});
  EXPECT_TRUE(reader.woken());
  const std::vector<Response> second = reader.PullAll();
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].marker(), v1::SUBSCRIPTION_MARKER_UNSPECIFIED);
  EXPECT_THAT(PositionsOf(second), ElementsAre(4, 5));
  EXPECT_EQ(second[0].events(1).event().event_id(), "y");
  EXPECT_EQ(second[0].events(1).version(), 2);
  EXPECT_TRUE(second[0].events(1).event().body().has_execution_started());
}

TEST_F(SubscribeTest, GoesOnAfterAnyPosition) {
  AppendMany(1, 5);
  for (std::int64_t after = 0; after <= 5; ++after) {
    Pulling<Response> reader;
    Begin(streams_, After(after), reader);
    const std::vector<Response> all = reader.PullAll();
    std::vector<std::int64_t> wanted;
    for (std::int64_t position = after + 1; position <= 5; ++position) wanted.push_back(position);
    EXPECT_EQ(PositionsOf(all), wanted);
    EXPECT_THAT(MarkersOf(all), ElementsAre(v1::SUBSCRIPTION_MARKER_CAUGHT_UP));
  }
}

TEST_F(SubscribeTest, IsToldOfItsOwnLedgerOnly) {
  Create("other");
  Pulling<Response> reader;
  Begin(streams_, After(0), reader);
  reader.PullAll();
  Append({Presented("a", 1, 0)}, "other");
  EXPECT_FALSE(reader.woken());
  EXPECT_THAT(reader.PullAll(), IsEmpty());
}

TEST_F(SubscribeTest, WakesOnceForManyCommits) {
  Pulling<Response> reader;
  Begin(streams_, After(0), reader);
  reader.PullAll();
  AppendMany(1, 3);
  const std::vector<Response> all = reader.PullAll();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_THAT(PositionsOf(all), ElementsAre(1, 2, 3));
}

TEST_F(SubscribeTest, ReaderThatFallsBehindIsToldAndMissesNothing) {
  SettlementStreams streams(store_, clock_, RunAtOnce,
                            {.tail_bytes_max = 4000, .message_bytes_max = 2000});
  Pulling<Response> reader;
  Begin(streams, After(0), reader);
  AppendMany(1, 2);
  std::vector<Response> all = reader.PullAll();
  AppendMany(3, 40);
  const std::vector<Response> late = reader.PullAll();
  ASSERT_FALSE(late.empty());
  EXPECT_EQ(late.front().marker(), v1::SUBSCRIPTION_MARKER_FELL_BEHIND);
  EXPECT_EQ(late.front().events_size(), 0);
  EXPECT_EQ(late.front().through_position(), 2);
  EXPECT_THAT(MarkersOf(late),
              ElementsAre(v1::SUBSCRIPTION_MARKER_FELL_BEHIND, v1::SUBSCRIPTION_MARKER_CAUGHT_UP));
  all.insert(all.end(), late.begin(), late.end());
  const std::vector<std::int64_t> positions = PositionsOf(all);
  ASSERT_THAT(positions, SizeIs(40));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(positions[i], static_cast<std::int64_t>(i) + 1);
  }
  AppendMany(41, 41);
  EXPECT_THAT(PositionsOf(reader.PullAll()), ElementsAre(41));
}

TEST_F(SubscribeTest, MessagesAreBounded) {
  constexpr std::size_t kBytesMax = 3000;
  SettlementStreams streams(store_, clock_, RunAtOnce,
                            {.tail_bytes_max = 1'000'000, .message_bytes_max = kBytesMax});
  settlement::Event large = Presented("large", 9, 9);
  std::get<settlement::PaymentPresented>(large.body).resource_url.assign(100'000, 'x');
  const std::size_t single = Presented("e1", 1, 1).event_id.size() + 1000;
  for (const bool is_live : {false, true}) {
    Pulling<Response> reader;
    const std::int64_t last = store_.GetLedger("book")->last_position;
    if (is_live) {
      Begin(streams, After(last), reader);
      reader.PullAll();
    }
    std::vector<settlement::Event> events;
    for (int i = 0; i < 30; ++i) {
      events.push_back(Presented(absl::StrCat(is_live, " ", i), 10 + i, i));
    }
    large.event_id = absl::StrCat("large ", is_live);
    events.insert(events.begin() + 10, large);
    Append(events);
    if (!is_live) Begin(streams, After(last), reader);
    const std::vector<Response> all = reader.PullAll();
    EXPECT_THAT(PositionsOf(all), SizeIs(31));
    EXPECT_GT(all.size(), 5U);
    for (const Response& response : all) {
      if (response.ByteSizeLong() > kBytesMax + single) {
        EXPECT_LE(response.ByteSizeLong(), kBytesMax + 101'000);
        EXPECT_EQ(response.events(response.events_size() - 1).event().event_id(), large.event_id);
      }
    }
  }
}

TEST_F(SubscribeTest, FiltersBySubjectAndType) {
  Append({Presented("a", 1, 0), Presented("b", 2, 1), support::Started("c", 1, 2),
          support::Started("d", 2, 3), support::Settled("e", 1, 1, 4)});
  v1::SubscribeEventsRequest request = After(0);
  request.add_subjects()->set_settlement_id(support::Payment(1).key);
  {
    Pulling<Response> reader;
    Begin(streams_, request, reader);
    EXPECT_THAT(PositionsOf(reader.PullAll()), ElementsAre(1, 3, 5));
  }
  request.add_event_types("ExecutionStarted");
  request.add_event_types("SettlementAnswered");
  Pulling<Response> reader;
  Begin(streams_, request, reader);
  const std::vector<Response> first = reader.PullAll();
  EXPECT_THAT(PositionsOf(first), ElementsAre(3, 5));
  EXPECT_EQ(first.back().through_position(), 5);
  // What is left out is considered all the same.
  Append({Presented("f", 3, 5)});
  EXPECT_THAT(reader.PullAll(), IsEmpty());
  Append({support::Started("g", 1, 6)});
  const std::vector<Response> second = reader.PullAll();
  EXPECT_THAT(PositionsOf(second), ElementsAre(7));
  EXPECT_EQ(second.back().through_position(), 7);
}

TEST_F(SubscribeTest, SaysHowFarAFilterGotThoughNothingPassesIt) {
  constexpr int kEvents = 5000;
  v1::SubscribeEventsRequest request = After(0);
  request.add_event_types("RemedyRequested");
  Pulling<Response> live;
  Begin(streams_, request, live);
  live.PullAll();
  for (int batch = 0; batch < kEvents / 500; ++batch) {
    std::vector<settlement::Event> events;
    for (int i = 0; i < 500; ++i) {
      settlement::PaymentReleased released;
      events.push_back(
          support::MakeEvent(absl::StrCat(batch, " ", i), support::Payment(batch), i, released));
    }
    Append(events);
  }
  const auto check = [&](const std::vector<Response>& all) {
    EXPECT_THAT(PositionsOf(all), IsEmpty());
    ASSERT_FALSE(all.empty());
    EXPECT_GT(all.back().through_position(), kEvents - 4096);
    EXPECT_LT(all.size(), 10U);
  };
  check(live.PullAll());
  Pulling<Response> late;
  Begin(streams_, request, late);
  check(late.PullAll());
}

TEST_F(SubscribeTest, SaysThatTheServerEndsAndHowFarItGot) {
  AppendMany(1, 2);
  Pulling<Response> reader;
  Begin(streams_, After(0), reader);
  reader.PullAll();
  AppendMany(3, 3);
  reader.stream().Drain();
  const std::vector<Response> last = reader.PullAll();
  ASSERT_THAT(last, SizeIs(1));
  EXPECT_EQ(last[0].marker(), v1::SUBSCRIPTION_MARKER_DRAINING);
  EXPECT_EQ(last[0].through_position(), 2);
  EXPECT_EQ(reader.end(), absl::OkStatus());
}

TEST_F(SubscribeTest, BadRequestsAreRefusedAtOnce) {
  AppendMany(1, 2);
  const auto refusal = [&](const v1::SubscribeEventsRequest& request) {
    return streams_.SubscribeEvents(request, [] {}).status();
  };
  // A position that is not there yet would pass over what takes its place.
  for (const std::int64_t position : {-1, 3}) {
    const absl::Status status = refusal(After(position));
    EXPECT_EQ(ReasonOf(status), Reason::kFieldMalformed) << status;
    EXPECT_EQ(MetadataOf(status)["field"], "after_position");
  }
  v1::SubscribeEventsRequest request = After(0);
  request.add_event_types("Presented");
  EXPECT_EQ(MetadataOf(refusal(request))["field"], "event_types[0]");
  request = After(0);
  request.add_subjects()->set_settlement_id(support::Payment(1).key);
  request.add_subjects()->set_settlement_id("sha256:12");
  EXPECT_EQ(MetadataOf(refusal(request))["field"], "subjects[1].settlement_id");
  request = After(0);
  for (int i = 0; i <= 1000; ++i) request.add_subjects()->set_slot("x");
  EXPECT_EQ(ReasonOf(refusal(request)), Reason::kLimitExceeded);
  request = After(0);
  request.set_ledger("none");
  EXPECT_EQ(ReasonOf(refusal(request)), Reason::kLedgerNotFound);
}

// Pulls on a thread of its own until it has seen a position, and notes what it saw.
class Subscriber {
 public:
  Subscriber(SettlementStreams& streams, const v1::SubscribeEventsRequest& request,
             std::int64_t until, int spins) {
    auto stream = streams.SubscribeEvents(request, [this] {
      const MutexLock lock(mutex_);
      is_woken_ = true;
      changed_.notify_all();
    });
    EXPECT_TRUE(stream.ok()) << stream.status();
    thread_ = std::thread([this, until, spins, stream = *std::move(stream)]() mutable {
      while (through_ < until) {
        Take(stream->Pull());
        for (int i = 0; i < spins; ++i) std::this_thread::yield();
      }
      stream.reset();
    });
  }
  void Join() { thread_.join(); }

  std::vector<std::int64_t> seen;

 private:
  void Take(const Pulled& pulled) {
    if (const auto* bytes = std::get_if<std::string>(&pulled)) {
      Response response;
      ASSERT_TRUE(response.ParseFromString(*bytes));
      for (const auto& event : response.events()) seen.push_back(event.position());
      EXPECT_GE(response.through_position(), through_);
      through_ = response.through_position();
      return;
    }
    ASSERT_TRUE(std::holds_alternative<Pause>(pulled));
    MutexLock lock(mutex_);
    lock.Await(changed_, [this]() TALLY_REQUIRES(mutex_) { return is_woken_; });
    is_woken_ = false;
  }

  std::int64_t through_ = 0;
  Mutex mutex_;
  std::condition_variable changed_;
  bool is_woken_ TALLY_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

TEST_F(SubscribeTest, NoGapAndNoDuplicateWhileManyAppend) {
  constexpr int kThreads = 4;
  constexpr int kEach = 250;
  constexpr std::int64_t kAll = kThreads * kEach;
  SettlementStreams streams(store_, clock_, RunAtOnce,
                            {.tail_bytes_max = 20'000, .message_bytes_max = 4000});
  std::vector<std::thread> appending;
  for (int t = 0; t < kThreads; ++t) {
    appending.emplace_back([this, t] {
      for (int i = 0; i < kEach; ++i) {
        settlement::PaymentReleased released;
        Append({support::MakeEvent(absl::StrCat(t, " ", i), support::Payment(t), i, released)});
      }
    });
  }
  // They begin at different moments and read at different speeds.
  std::vector<std::unique_ptr<Subscriber>> subscribers;
  std::vector<std::int64_t> begins;
  for (int s = 0; s < 6; ++s) {
    begins.push_back(s % 2 == 0 ? 0 : store_.GetLedger("book")->last_position);
    subscribers.push_back(
        std::make_unique<Subscriber>(streams, After(begins.back()), kAll, s == 5 ? 2000 : s * 10));
  }
  for (std::thread& thread : appending) thread.join();
  for (std::size_t s = 0; s < subscribers.size(); ++s) {
    subscribers[s]->Join();
    std::int64_t wanted = begins[s];
    for (const std::int64_t position : subscribers[s]->seen) ASSERT_EQ(position, ++wanted);
    EXPECT_EQ(wanted, kAll);
  }
}

}  // namespace
}  // namespace tally::service

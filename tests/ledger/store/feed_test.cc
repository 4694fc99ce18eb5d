// What every EventStore tells those who listen, and how its log reads as it is kept.
#include <atomic>
#include <map>
#include <thread>

#include "ledger/base/error.h"
#include "ledger/protocol/envelope_codec.h"
#include "tests/ledger/store/contract.h"

namespace tally::store {
namespace {

using settlement::Event;
using support::Presented;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What was told, by ledger. Told on one thread, looked at when that is quiet.
class Told {
 public:
  explicit Told(EventStore& store)
      : listening_(store.Listen([this](const std::shared_ptr<const Appended>& appended) {
          ASSERT_FALSE(appended->events.empty());
          auto& all = by_ledger_[appended->ledger];
          all.insert(all.end(), appended->events.begin(), appended->events.end());
          ++times_;
        })) {}

  std::vector<std::string> Ids(const std::string& ledger = "book") const {
    std::vector<std::string> ids;
    const auto found = by_ledger_.find(ledger);
    if (found == by_ledger_.end()) return ids;
    for (const StoredEvent& event : found->second) {
      ids.push_back(protocol::DecodeEnvelope(event.envelope)->event_id);
    }
    return ids;
  }
  const std::vector<StoredEvent>& all(const std::string& ledger = "book") {
    return by_ledger_[ledger];
  }
  int times() const { return times_; }
  void Stop() { listening_.reset(); }

 private:
  std::map<std::string, std::vector<StoredEvent>> by_ledger_;
  int times_ = 0;
  std::unique_ptr<Listening> listening_;
};

template <typename Kind>
class FeedTest : public EventStoreTest<Kind> {
 protected:
  std::vector<StoredEvent> Stored(const LogRange& range) {
    auto stored = this->store_->ReadStored("book", range);
    EXPECT_TRUE(stored.ok()) << stored.status();
    return stored.ok() ? *stored : std::vector<StoredEvent>();
  }
};

TYPED_TEST_SUITE(FeedTest, Kinds);

TYPED_TEST(FeedTest, TellsWhatWasAppendedBeforeItIsAcknowledged) {
  Told told(*this->store_);
  bool is_told_first = false;
  this->store_->Append("book", {Presented("a", 1, 0)}, [&](const auto& receipts) {
    EXPECT_TRUE(receipts.ok()) << receipts.status();
    is_told_first = told.times() == 1;
  });
  // Waits for the one before it too.
  const auto receipts = this->MustAppend({Presented("b", 2, 1), support::Started("c", 1, 2)});
  EXPECT_TRUE(is_told_first);
  EXPECT_THAT(told.Ids(), ElementsAre("a", "b", "c"));
  ASSERT_THAT(told.all(), SizeIs(3));
  EXPECT_EQ(told.all()[2].position, 3);
  EXPECT_EQ(told.all()[2].version, receipts[1].version);
  EXPECT_EQ(told.all()[2].recorded_time, receipts[1].recorded_time);
}

TYPED_TEST(FeedTest, TellsNothingOfReplaysAndRefusals) {
  this->MustAppend({Presented("a", 1, 0)});
  Told told(*this->store_);
  this->MustAppend({Presented("a", 1, 0)});
  EXPECT_FALSE(this->Append({Presented("b", 2, 1), Presented("a", 3, 2)}).ok());
  EXPECT_FALSE(DecideAndWait(*this->store_, "book",
                             [](View&, absl::Time) -> absl::StatusOr<std::vector<Event>> {
                               return Error(Reason::kNotRecorded, "nothing there");
                             })
                   .ok());
  this->MustAppend({});
  EXPECT_EQ(told.times(), 0);
  this->MustAppend({Presented("a", 1, 0), Presented("d", 4, 1)});
  EXPECT_THAT(told.Ids(), ElementsAre("d"));
}

TYPED_TEST(FeedTest, TellsOfDecisionsAndKeepsLedgersApart) {
  this->CreateLedger("other");
  Told told(*this->store_);
  ASSERT_TRUE(AppendAndWait(*this->store_, "other", {Presented("a", 1, 0)}).ok());
  ASSERT_TRUE(DecideAndWait(*this->store_, "book",
                            [](View&, absl::Time) -> absl::StatusOr<std::vector<Event>> {
                              return std::vector<Event>{Presented("b", 1, 0)};
                            })
                  .ok());
  EXPECT_THAT(told.Ids("other"), ElementsAre("a"));
  EXPECT_THAT(told.Ids("book"), ElementsAre("b"));
}

TYPED_TEST(FeedTest, TellsEveryListenerUntilItGoes) {
  Told first(*this->store_);
  Told second(*this->store_);
  this->MustAppend({Presented("a", 1, 0)});
  first.Stop();
  this->MustAppend({Presented("b", 1, 1)});
  EXPECT_THAT(first.Ids(), ElementsAre("a"));
  EXPECT_THAT(second.Ids(), ElementsAre("a", "b"));
}

TYPED_TEST(FeedTest, ListenerMayOutliveTheStore) {
  auto told = std::make_unique<Told>(*this->store_);
  this->store_.reset();
  told.reset();
}

TYPED_TEST(FeedTest, TellsByPositionWithoutAGapHoweverManyAppend) {
  constexpr int kThreads = 8;
  constexpr int kEach = 25;
  Told told(*this->store_);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        this->MustAppend({Presented(absl::StrCat(t, " ", i), t + 1, i)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_THAT(told.all(), SizeIs(kThreads * kEach));
  for (std::size_t i = 0; i < told.all().size(); ++i) {
    ASSERT_EQ(told.all()[i].position, static_cast<std::int64_t>(i) + 1);
  }
}

TYPED_TEST(FeedTest, GoingAwayWaitsForTheCallUnderWay) {
  std::atomic<bool> is_there = true;
  std::atomic<bool> was_called_late = false;
  std::thread appending([&] {
    for (int i = 0; i < 50; ++i) this->MustAppend({Presented(absl::StrCat("e", i), 1, i)});
  });
  for (int i = 0; i < 50; ++i) {
    is_there = true;
    auto listening = this->store_->Listen([&](const auto&) {
      if (!is_there) was_called_late = true;
    });
    listening.reset();
    is_there = false;
  }
  appending.join();
  EXPECT_FALSE(was_called_late);
}

TYPED_TEST(FeedTest, LogReadsAsItIsKept) {
  this->MustAppend({Presented("a", 1, 0), Presented("b", 2, 1), support::Started("c", 1, 2)});
  const std::vector<StoredEvent> stored = this->Stored({});
  ASSERT_THAT(stored, SizeIs(3));
  const auto log = this->Log();
  for (std::size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].position, log[i].position);
    EXPECT_EQ(stored[i].version, log[i].version);
    EXPECT_EQ(stored[i].recorded_time, log[i].recorded_time);
    EXPECT_EQ(stored[i].envelope, protocol::EncodeEnvelope(log[i].event));
  }
  EXPECT_THAT(this->Stored({2}), SizeIs(1));
  EXPECT_THAT(this->Stored({3}), IsEmpty());
  EXPECT_THAT(this->Stored({0, 2}), SizeIs(2));
  // A single event comes whatever it weighs.
  EXPECT_THAT(this->Stored({0, 1000, 1}), SizeIs(1));
  EXPECT_THAT(this->Stored({0, 1000, stored[0].envelope.size() + stored[1].envelope.size()}),
              SizeIs(2));
  EXPECT_EQ(ReasonOf(this->store_->ReadStored("none", {}).status()), Reason::kLedgerNotFound);
}

}  // namespace
}  // namespace tally::store

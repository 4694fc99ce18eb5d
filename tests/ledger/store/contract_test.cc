// What every EventStore has to do with what is written and read back.
#include "tests/ledger/store/contract.h"

#include <atomic>
#include <thread>

#include "ledger/base/error.h"
#include "ledger/store/admission.h"

namespace tally::store {
namespace {

using settlement::AliasKind;
using settlement::Event;
using support::At;
using support::Payment;
using support::Presented;
using support::SlotText;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TYPED_TEST_SUITE(EventStoreTest, Kinds);

TYPED_TEST(EventStoreTest, AppendedEventsReadBackByPositionAndBySubject) {
  const auto receipts =
      this->MustAppend({Presented("a", 1, 0), Presented("b", 2, 1), support::Started("c", 1, 2)});
  ASSERT_THAT(receipts, SizeIs(3));
  EXPECT_EQ(receipts[2].position, 3);
  EXPECT_EQ(receipts[2].version, 2);
  EXPECT_EQ(receipts[2].recorded_time, this->clock_.Now());
  EXPECT_FALSE(receipts[2].is_replayed);

  const auto log = this->Log();
  ASSERT_THAT(log, SizeIs(3));
  EXPECT_EQ(log[1].event, Presented("b", 2, 1));
  EXPECT_EQ(log[1].position, 2);
  EXPECT_THAT(this->Log(2), SizeIs(1));
  EXPECT_THAT(this->Log(0, 2), SizeIs(2));
  EXPECT_THAT(this->Log(3), IsEmpty());

  const auto history = this->History(Payment(1));
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[1].event.event_id, "c");
  EXPECT_EQ(history[1].version, 2);
  EXPECT_EQ(history[1].position, 3);
  EXPECT_THAT(this->History(Payment(3)), IsEmpty());
}

TYPED_TEST(EventStoreTest, NoEventsIsFine) {
  EXPECT_THAT(this->MustAppend({}), IsEmpty());
  EXPECT_THAT(this->Log(), IsEmpty());
}

TYPED_TEST(EventStoreTest, SameEventAgainIsReplayedWhoeverHandsItOver) {
  const auto first = this->MustAppend({Presented("a", 1, 0)});
  this->clock_.Advance(absl::Seconds(5));
  Event again = Presented("a", 1, 0);
  again.recorder = "somebody else";
  const auto second = this->MustAppend({again, Presented("b", 1, 1)});
  EXPECT_TRUE(second[0].is_replayed);
  EXPECT_EQ(second[0].position, first[0].position);
  EXPECT_EQ(second[0].recorded_time, first[0].recorded_time);
  EXPECT_FALSE(second[1].is_replayed);
  EXPECT_EQ(second[1].position, 2);
  EXPECT_THAT(this->Log(), SizeIs(2));
}

TYPED_TEST(EventStoreTest, ReusedEventIdIsRefusedAndLeavesNoTrace) {
  this->MustAppend({Presented("a", 1, 0)});
  const auto refused = this->Append({Presented("b", 2, 1), Presented("a", 3, 2)});
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kEventIdReused);
  const auto metadata = MetadataOf(refused.status());
  EXPECT_EQ(metadata.at("event_id"), "a");
  EXPECT_NE(metadata.at("stored_sha256"), metadata.at("offered_sha256"));
  EXPECT_THAT(this->Log(), SizeIs(1));
  EXPECT_THAT(this->History(Payment(2)), IsEmpty());
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(2)), IsEmpty());
  EXPECT_THAT(this->Listed(), ElementsAre(Payment(1)));
  // Its ids are free and positions have no gap.
  EXPECT_EQ(this->MustAppend({Presented("b", 4, 1)})[0].position, 2);
}

TYPED_TEST(EventStoreTest, OneBatchKnowsItsOwnEventIds) {
  const auto receipts = this->MustAppend({Presented("a", 1, 0), Presented("a", 1, 0)});
  EXPECT_TRUE(receipts[1].is_replayed);
  EXPECT_EQ(receipts[1].position, 1);
  const auto refused = this->Append({Presented("b", 1, 0), Presented("b", 2, 0)});
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kEventIdReused);
  EXPECT_THAT(this->Log(), SizeIs(1));
}

TYPED_TEST(EventStoreTest, LimitsAreKept) {
  std::vector<Event> many(kBatchEventsMax + 1, Presented("a", 1, 0));
  EXPECT_EQ(ReasonOf(this->Append(many).status()), Reason::kLimitExceeded);
  Event large = Presented("a", 1, 0);
  std::get<settlement::PaymentPresented>(large.body)
      .resource_url.assign(settlement::kEventBytesMax, 'x');
  EXPECT_EQ(ReasonOf(this->Append({large}).status()), Reason::kLimitExceeded);
  EXPECT_EQ(ReasonOf(this->Append({Presented("", 1, 0)}).status()), Reason::kFieldMissing);
  EXPECT_EQ(ReasonOf(this->Append({Presented(std::string(257, 'x'), 1, 0)}).status()),
            Reason::kLimitExceeded);
  EXPECT_THAT(this->Log(), IsEmpty());
}

TYPED_TEST(EventStoreTest, LedgersAreApart) {
  this->CreateLedger("other");
  this->MustAppend({Presented("a", 1, 0)});
  const auto receipts = AppendAndWait(*this->store_, "other", {Presented("a", 2, 0)});
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  EXPECT_EQ(receipts->at(0).position, 1);
  EXPECT_THAT(this->History(Payment(2)), IsEmpty());
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(2)), IsEmpty());
  this->ExpectRebuildAgrees();
}

TYPED_TEST(EventStoreTest, LedgerIsCreatedOnce) {
  Ledger ledger;
  ledger.name = "buyer-1";
  ledger.role = settlement::LedgerRole::kBuyer;
  ledger.endpoint_names = {{"stdio:", "https://tools.example/mcp"}};
  bool is_created = false;
  ASSERT_TRUE(this->store_->CreateLedger(ledger, &is_created).ok());
  EXPECT_TRUE(is_created);
  ASSERT_TRUE(this->store_->CreateLedger(ledger, &is_created).ok());
  EXPECT_FALSE(is_created);
  ledger.role = settlement::LedgerRole::kSeller;
  EXPECT_EQ(ReasonOf(this->store_->CreateLedger(ledger, nullptr).status()), Reason::kLedgerExists);

  const auto read = this->store_->GetLedger("buyer-1");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->role, settlement::LedgerRole::kBuyer);
  EXPECT_THAT(read->endpoint_names, SizeIs(1));
  EXPECT_EQ(read->created_time, this->clock_.Now());
  EXPECT_EQ(read->last_position, 0);
  this->MustAppend({Presented("a", 1, 0)});
  const auto all = this->store_->ListLedgers();
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_THAT(*all, SizeIs(2));
  EXPECT_EQ(all->at(0).name, "book");
  EXPECT_EQ(all->at(0).last_position, 1);
}

TYPED_TEST(EventStoreTest, UnknownAndMisnamedLedgersAreRefused) {
  const auto missing = AppendAndWait(*this->store_, "none", {Presented("a", 1, 0)});
  EXPECT_EQ(ReasonOf(missing.status()), Reason::kLedgerNotFound);
  EXPECT_EQ(ReasonOf(this->store_->GetLedger("none").status()), Reason::kLedgerNotFound);
  EXPECT_EQ(ReasonOf(this->store_->ReadEvents("none", 0, 1).status()), Reason::kLedgerNotFound);
  EXPECT_EQ(ReasonOf(this->store_->History("none", Payment(1)).status()), Reason::kLedgerNotFound);
  for (const char* name : {"", "-a", "A", "a b", "a/b"}) {
    Ledger ledger;
    ledger.name = name;
    EXPECT_EQ(ReasonOf(this->store_->CreateLedger(ledger, nullptr).status()),
              Reason::kFieldMalformed)
        << name;
  }
}

TYPED_TEST(EventStoreTest, RecordedTimeNeverGoesBack) {
  this->MustAppend({Presented("a", 1, 0)});
  this->clock_.Advance(-absl::Seconds(5));
  const auto receipts = this->MustAppend({Presented("b", 1, 1)});
  EXPECT_EQ(receipts[0].recorded_time, At(0));
}

TYPED_TEST(EventStoreTest, DeciderSeesWhatIsOnFile) {
  this->MustAppend({Presented("a", 1, 0)});
  const auto receipts = DecideAndWait(
      *this->store_, "book", [&](View& view, absl::Time now) -> absl::StatusOr<std::vector<Event>> {
        EXPECT_EQ(now, this->clock_.Now());
        EXPECT_THAT(view.Load(Payment(1))->presentations, SizeIs(1));
        EXPECT_EQ(view.Load(Payment(2))->version, 0);
        EXPECT_THAT(*view.Find({AliasKind::kSlot, SlotText(1)}, 10), ElementsAre(Payment(1)));
        return std::vector<Event>{support::Started("b", 1, 1)};
      });
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  EXPECT_EQ(receipts->at(0).version, 2);
}

TYPED_TEST(EventStoreTest, DeciderMayRefuse) {
  const auto refused = DecideAndWait(*this->store_, "book",
                                     [](View&, absl::Time) -> absl::StatusOr<std::vector<Event>> {
                                       return Error(Reason::kNotRecorded, "nothing there");
                                     });
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kNotRecorded);
  EXPECT_THAT(this->Log(), IsEmpty());
}

TYPED_TEST(EventStoreTest, OfManyDecidersOneWins) {
  constexpr int kThreads = 8;
  std::atomic<int> granted = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto receipts = DecideAndWait(
          *this->store_, "book", [i](View& view, absl::Time) -> absl::StatusOr<std::vector<Event>> {
            if (view.Load(Payment(1))->version > 0) return std::vector<Event>();
            return std::vector<Event>{Presented(absl::StrCat("claim ", i), 1, 0)};
          });
      if (receipts.ok() && receipts->size() == 1) ++granted;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 1);
  EXPECT_THAT(this->Log(), SizeIs(1));
}

TYPED_TEST(EventStoreTest, ManyThreadsAppendWithoutGaps) {
  constexpr int kThreads = 16;
  constexpr int kEach = 20;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        const auto receipts = this->Append({Presented(absl::StrCat(t, " ", i), t + 1, i)});
        ASSERT_TRUE(receipts.ok()) << receipts.status();
        // A read after an acknowledged write sees it.
        EXPECT_EQ(this->History(Payment(t + 1)).size(), static_cast<std::size_t>(i) + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto log = this->Log();
  ASSERT_THAT(log, SizeIs(kThreads * kEach));
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(log[i].position, static_cast<std::int64_t>(i) + 1);
  }
  this->ExpectRebuildAgrees();
}

TYPED_TEST(EventStoreTest, IsHealthy) { EXPECT_TRUE(this->store_->Health().ok()); }

}  // namespace
}  // namespace tally::store

// What every EventStore has to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include "ledger/base/error.h"
#include "ledger/store/admission.h"
#include "ledger/store/projector.h"
#include "tests/ledger/store/stores.h"
#include "tests/support/events.h"
#include "tests/support/fake_clock.h"

namespace tally::store {
namespace {

using settlement::AliasKind;
using settlement::Event;
using settlement::Label;
using settlement::RecordedEvent;
using settlement::Subject;
using support::At;
using support::Challenge;
using support::Challenged;
using support::Payment;
using support::Presented;
using support::SlotText;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

template <typename Kind>
class EventStoreTest : public ::testing::Test {
 protected:
  EventStoreTest() : store_(Kind::Open(folder_, clock_)) { CreateLedger("book"); }

  void CreateLedger(const std::string& name) {
    Ledger ledger;
    ledger.name = name;
    EXPECT_TRUE(store_->CreateLedger(ledger, nullptr).ok());
  }
  absl::StatusOr<std::vector<Receipt>> Append(std::vector<Event> events) {
    return AppendAndWait(*store_, "book", std::move(events));
  }
  std::vector<Receipt> MustAppend(std::vector<Event> events) {
    auto receipts = Append(std::move(events));
    EXPECT_TRUE(receipts.ok()) << receipts.status();
    return receipts.ok() ? *receipts : std::vector<Receipt>();
  }
  std::vector<RecordedEvent> History(const Subject& subject) {
    auto history = store_->History("book", subject);
    EXPECT_TRUE(history.ok()) << history.status();
    return history.ok() ? *history : std::vector<RecordedEvent>();
  }
  std::vector<RecordedEvent> Log(std::int64_t after = 0, std::size_t limit = 10000) {
    auto log = store_->ReadEvents("book", after, limit);
    EXPECT_TRUE(log.ok()) << log.status();
    return log.ok() ? *log : std::vector<RecordedEvent>();
  }
  std::vector<Subject> Find(AliasKind kind, const std::string& value, std::size_t limit = 100) {
    auto found = store_->Find("book", {kind, value}, limit);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : std::vector<Subject>();
  }
  std::vector<Summary> List(ListQuery query = {}) {
    query.now = clock_.Now();
    auto rows = store_->List("book", query);
    EXPECT_TRUE(rows.ok()) << rows.status();
    return rows.ok() ? *rows : std::vector<Summary>();
  }
  std::vector<Subject> Listed(const ListQuery& query = {}) {
    std::vector<Subject> subjects;
    for (const Summary& row : List(query)) subjects.push_back(row.subject);
    return subjects;
  }
  void ExpectRebuildAgrees() {
    const auto report = store_->Rebuild(false);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(report->differences, IsEmpty());
  }

  TemporaryFolder folder_;
  support::FakeClock clock_;
  std::unique_ptr<EventStore> store_;
};

using Kinds = ::testing::Types<MemoryKind, SqliteKind>;
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
  std::get<settlement::PaymentPresented>(large.body).resource_url.assign(kEventBytesMax, 'x');
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

TYPED_TEST(EventStoreTest, SubjectsAreFoundUnderTheirAliases) {
  this->MustAppend({Presented("a", 1, 7, 0), Presented("b", 2, 7, 1), Presented("c", 3, 3, 2)});
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(7)), ElementsAre(Payment(1), Payment(2)));
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(7), 1), ElementsAre(Payment(1)));
  EXPECT_THAT(this->Find(AliasKind::kPayer, support::PayerOf(3)), ElementsAre(Payment(3)));
  EXPECT_THAT(this->Find(AliasKind::kSlot, ""), IsEmpty());
}

TYPED_TEST(EventStoreTest, ListComesByFirstTimeThenSubjectInPages) {
  this->MustAppend({Presented("a", 3, 5), Presented("b", 2, 5), Presented("c", 1, 9),
                    Presented("d", 4, 1), support::Started("e", 4, 20)});
  const std::vector<Subject> all = {Payment(4), Payment(2), Payment(3), Payment(1)};
  EXPECT_EQ(this->Listed(), all);
  std::vector<Subject> paged;
  ListQuery query;
  query.limit = 1;
  while (true) {
    const auto page = this->List(query);
    if (page.empty()) break;
    paged.push_back(page[0].subject);
    query.after = {page[0].first_time, page[0].subject};
  }
  EXPECT_EQ(paged, all);
}

TYPED_TEST(EventStoreTest, ListChoosesRows) {
  this->MustAppend({Presented("a", 1, 0), Presented("b", 2, 2, 10, 0, "session", "cube"),
                    support::Settled("c", 3, 3, 20)});
  ListQuery query;
  query.payer = support::PayerOf(1);
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(1)));
  query = {};
  query.tool = "cube";
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(2)));
  query = {};
  query.from = At(10);
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(2), Payment(3)));
  query.before = At(20);
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(2)));
  query = {};
  query.labels = {Label::kPresented};
  const auto fresh = this->Listed(query);
  EXPECT_THAT(fresh, ::testing::Contains(Payment(1)));
  EXPECT_THAT(fresh, ::testing::Not(::testing::Contains(Payment(3))));
}

TYPED_TEST(EventStoreTest, RowsThatMayBeStaleAreListedUnderAnyLabel) {
  this->MustAppend({Presented("a", 1, 0)});
  ListQuery query;
  query.labels = {Label::kClosed};
  EXPECT_THAT(this->Listed(query), IsEmpty());
  this->clock_.Advance(absl::Hours(24 * 365));
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(1)));
}

TYPED_TEST(EventStoreTest, ChallengeIsLinkedByEchoAndNoLongerListed) {
  this->MustAppend({Challenged("a", 1, 0), Challenged("b", 2, 1)});
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(1), Challenge(2)));
  this->MustAppend({Presented("c", 1, 1, 5, 1)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Challenge(1).key), ElementsAre(Payment(1)));
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(1)));
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(2), Payment(1)));
}

TYPED_TEST(EventStoreTest, ChallengeWithoutEchoIsLinkedByScope) {
  this->MustAppend({Challenged("a", 1, 0), Challenged("b", 2, 3), Challenged("c", 3, 9),
                    Challenged("d", 4, 4, "another session"), Presented("e", 1, 5)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(2)));
}

TYPED_TEST(EventStoreTest, LateChallengeTakesItsLink) {
  this->MustAppend({Challenged("a", 1, 0), Presented("b", 1, 5)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(1)));
  this->MustAppend({Challenged("c", 2, 3)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(2)));
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Challenge(1).key), IsEmpty());
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(1), Payment(1)));
  this->ExpectRebuildAgrees();
}

TYPED_TEST(EventStoreTest, SiblingsInOneSlotBearOnEachOther) {
  this->MustAppend({Presented("a", 1, 7, 0), support::Verified("b", 1, 7, 1)});
  EXPECT_NE(this->List()[0].label, Label::kConflict);
  this->MustAppend({Presented("c", 2, 7, 2), support::Verified("d", 2, 7, 3)});
  const auto before = this->List();
  ASSERT_THAT(before, SizeIs(2));
  EXPECT_EQ(before[0].label, before[1].label);
  this->MustAppend({support::SlotUsed("e", 7, 4)});
  EXPECT_THAT(this->Listed(), ElementsAre(Payment(1), Payment(2)));
  this->ExpectRebuildAgrees();
}

// A small world in which most things that can bear on one another do.
std::vector<Event> World() {
  return {
      Challenged("c1", 1, 0),
      Challenged("c2", 2, 4),
      Challenged("c2 again", 2, 2, "session", "cube"),
      Challenged("c3", 3, 8),
      Presented("p1", 1, 1, 5),
      Presented("p1 again", 1, 1, 9),
      Presented("p2", 2, 1, 6, 1),
      Presented("p3", 3, 3, 3, 3, "session", "cube"),
      support::Verified("v1", 1, 1, 6),
      support::Verified("v2", 2, 1, 7),
      support::Started("s1", 1, 7),
      support::Settled("x1", 1, 1, 8),
      support::SlotUsed("u1", 1, 10),
  };
}

// Everything projected from it, in words.
std::set<std::string> Snapshot(EventStore& store, const std::string& ledger) {
  std::set<std::string> facts;
  for (const Event& event : World()) {
    std::vector<settlement::Alias> aliases = settlement::AliasesOf(event);
    aliases.push_back({AliasKind::kAnsweredChallenge, event.subject.key});
    for (const settlement::Alias& alias : aliases) {
      const auto found = store.Find(ledger, alias, 100).value();
      for (const Subject& subject : found) {
        facts.insert(
            absl::StrCat(static_cast<int>(alias.kind), " ", alias.value, " finds ", subject.key));
      }
    }
  }
  ListQuery query;
  query.now = At(0);
  const auto rows = store.List(ledger, query).value();
  for (const Summary& row : rows) {
    facts.insert(absl::StrCat(row.subject.key, " ", absl::ToUnixMicros(row.first_time), " ",
                              absl::ToUnixMicros(row.last_time), " ", settlement::NameOf(row.label),
                              " ", absl::ToUnixMicros(row.fresh_until), " ", row.payer, " ",
                              row.tool));
  }
  return facts;
}

TYPED_TEST(EventStoreTest, OrderOfArrivalDoesNotMatter) {
  this->MustAppend(World());
  const auto expected = Snapshot(*this->store_, "book");
  EXPECT_THAT(expected, SizeIs(::testing::Gt(20)));
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    const std::string name = absl::StrCat("round-", round);
    this->CreateLedger(name);
    std::vector<Event> events = World();
    std::shuffle(events.begin(), events.end(), random);
    for (Event& event : events) {
      ASSERT_TRUE(AppendAndWait(*this->store_, name, {std::move(event)}).ok());
    }
    ASSERT_EQ(Snapshot(*this->store_, name), expected) << name;
  }
  this->ExpectRebuildAgrees();
}

TYPED_TEST(EventStoreTest, RebuildCountsAndReplaces) {
  this->MustAppend(World());
  const auto report = this->store_->Rebuild(true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->events, static_cast<std::int64_t>(World().size()));
  EXPECT_EQ(report->subjects, 7);
  EXPECT_THAT(report->differences, IsEmpty());
  EXPECT_TRUE(this->Append({Presented("later", 9, 30)}).ok());
  this->ExpectRebuildAgrees();
}

TYPED_TEST(EventStoreTest, NeighbourhoodHoldsWhatBearsOnAnAnswer) {
  this->MustAppend(World());
  Event mate = Presented("m", 5, 5, 1, 1);
  this->MustAppend({mate});
  const Finder find = [&](const settlement::Alias& alias, std::size_t limit) {
    return this->store_->Find("book", alias, limit);
  };
  const Loader load = [&](const Subject& subject) -> absl::StatusOr<settlement::State> {
    return settlement::Fold(subject, this->History(subject));
  };
  const auto around = LoadNeighbourhood(*load(Payment(2)), find, load);
  ASSERT_TRUE(around.ok()) << around.status();
  const auto& surroundings = around->surroundings;
  ASSERT_NE(surroundings.slot_facts, nullptr);
  EXPECT_THAT(surroundings.slot_facts->chain, SizeIs(1));
  ASSERT_THAT(surroundings.slot_siblings, SizeIs(1));
  EXPECT_EQ(surroundings.slot_siblings[0]->subject, Payment(1));
  ASSERT_THAT(surroundings.challenges, SizeIs(1));
  EXPECT_EQ(surroundings.challenges[0]->subject, Challenge(1));
  ASSERT_THAT(surroundings.purchase_mates, SizeIs(1));
  EXPECT_EQ(surroundings.purchase_mates[0]->subject, Payment(5));
  EXPECT_FALSE(surroundings.has_more);
  // What a reading as of a time can't see is left out.
  const Loader nothing = [](const Subject& subject) -> absl::StatusOr<settlement::State> {
    return settlement::Fold(subject, {});
  };
  const auto alone = LoadNeighbourhood(*load(Payment(2)), find, nothing);
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_EQ(alone->surroundings.slot_facts, nullptr);
  EXPECT_THAT(alone->surroundings.slot_siblings, IsEmpty());
}

TYPED_TEST(EventStoreTest, IsHealthy) { EXPECT_TRUE(this->store_->Health().ok()); }

}  // namespace
}  // namespace tally::store

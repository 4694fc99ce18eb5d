// What every EventStore has to find, list and link, in whatever order the events arrive.
#include <algorithm>
#include <random>
#include <set>

#include "ledger/settlement/names.h"
#include "ledger/store/neighbourhood.h"
#include "ledger/store/projector.h"
#include "tests/ledger/store/contract.h"

namespace tally::store {
namespace {

using settlement::AliasKind;
using settlement::Event;
using settlement::Label;
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

template <typename Kind>
class ProjectionTest : public EventStoreTest<Kind> {};
TYPED_TEST_SUITE(ProjectionTest, Kinds);

TYPED_TEST(ProjectionTest, SubjectsAreFoundUnderTheirAliases) {
  this->MustAppend({Presented("a", 1, 7, 0), Presented("b", 2, 7, 1), Presented("c", 3, 3, 2)});
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(7)), ElementsAre(Payment(1), Payment(2)));
  EXPECT_THAT(this->Find(AliasKind::kSlot, SlotText(7), 1), ElementsAre(Payment(1)));
  EXPECT_THAT(this->Find(AliasKind::kSlot, ""), IsEmpty());
}

TYPED_TEST(ProjectionTest, ListComesByFirstTimeThenSubjectInPages) {
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

TYPED_TEST(ProjectionTest, ListChoosesRows) {
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

TYPED_TEST(ProjectionTest, RowsThatMayBeStaleAreListedUnderAnyLabel) {
  this->MustAppend({Presented("a", 1, 0)});
  ListQuery query;
  query.labels = {Label::kClosed};
  EXPECT_THAT(this->Listed(query), IsEmpty());
  this->clock_.Advance(absl::Hours(24 * 365));
  EXPECT_THAT(this->Listed(query), ElementsAre(Payment(1)));
}

TYPED_TEST(ProjectionTest, ChallengeIsLinkedByEchoAndNoLongerListed) {
  this->MustAppend({Challenged("a", 1, 0), Challenged("b", 2, 1)});
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(1), Challenge(2)));
  this->MustAppend({Presented("c", 1, 1, 5, 1)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Challenge(1).key), ElementsAre(Payment(1)));
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(1)));
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(2), Payment(1)));
}

TYPED_TEST(ProjectionTest, ChallengeWithoutEchoIsLinkedByScope) {
  this->MustAppend({Challenged("a", 1, 0), Challenged("b", 2, 3), Challenged("c", 3, 9),
                    Challenged("d", 4, 4, "another session"), Presented("e", 1, 5)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(2)));
}

TYPED_TEST(ProjectionTest, LateChallengeTakesItsLink) {
  this->MustAppend({Challenged("a", 1, 0), Presented("b", 1, 5)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(1)));
  this->MustAppend({Challenged("c", 2, 3)});
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Payment(1).key), ElementsAre(Challenge(2)));
  EXPECT_THAT(this->Find(AliasKind::kAnsweredChallenge, Challenge(1).key), IsEmpty());
  EXPECT_THAT(this->Listed(), ElementsAre(Challenge(1), Payment(1)));
  this->ExpectRebuildAgrees();
}

TYPED_TEST(ProjectionTest, SiblingsInOneSlotBearOnEachOther) {
  this->MustAppend({Presented("a", 1, 7, 0), support::Verified("b", 1, 7, 1)});
  EXPECT_NE(this->List()[0].label, Label::kConflict);
  this->MustAppend({Presented("c", 2, 7, 2), support::Verified("d", 2, 7, 3)});
  const auto before = this->List();
  ASSERT_THAT(before, SizeIs(2));
  EXPECT_EQ(before[0].label, Label::kConflict);
  EXPECT_EQ(before[1].label, Label::kConflict);
  this->MustAppend({support::SlotUsed("e", 7, 4)});
  EXPECT_THAT(this->Listed(), ElementsAre(Payment(1), Payment(2)));
  this->ExpectRebuildAgrees();
}

TYPED_TEST(ProjectionTest, CrowdedSlotIsBounded) {
  constexpr int kCrowd = static_cast<int>(kNeighboursMax) + 20;
  for (int n = 1; n <= kCrowd; ++n) {
    this->MustAppend({Presented(absl::StrCat("p", n), n, 7, n)});
    this->clock_.Advance(absl::Seconds(1));
  }
  this->MustAppend({support::Verified("v", kCrowd, 7, 200), support::Verified("w", 1, 7, 201)});
  EXPECT_THAT(this->Listed(), SizeIs(100));  // a page
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

TYPED_TEST(ProjectionTest, OrderOfArrivalDoesNotMatter) {
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

TYPED_TEST(ProjectionTest, RebuildCountsAndReplaces) {
  this->MustAppend(World());
  const auto report = this->store_->Rebuild(true);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->events, static_cast<std::int64_t>(World().size()));
  EXPECT_EQ(report->subjects, 7);
  EXPECT_THAT(report->differences, IsEmpty());
  EXPECT_TRUE(this->Append({Presented("later", 9, 30)}).ok());
  this->ExpectRebuildAgrees();
}

TYPED_TEST(ProjectionTest, NeighbourhoodHoldsWhatBearsOnAnAnswer) {
  this->MustAppend(World());
  Event mate = Presented("m", 5, 5, 1, 1);
  this->MustAppend({mate});
  const Finder find = [&](const settlement::Alias& alias, std::size_t limit) {
    return this->store_->Find("book", alias, limit);
  };
  const Loader load = [&](const Subject& subject) -> absl::StatusOr<SharedState> {
    return std::make_shared<const settlement::State>(
        settlement::Fold(subject, this->History(subject)));
  };
  const auto around = LoadNeighbourhood(**load(Payment(2)), find, load);
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
  const Loader nothing = [](const Subject& subject) -> absl::StatusOr<SharedState> {
    return std::make_shared<const settlement::State>(settlement::Fold(subject, {}));
  };
  const auto alone = LoadNeighbourhood(**load(Payment(2)), find, nothing);
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_EQ(alone->surroundings.slot_facts, nullptr);
  EXPECT_THAT(alone->surroundings.slot_siblings, IsEmpty());
}

}  // namespace
}  // namespace tally::store

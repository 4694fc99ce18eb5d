#include "ledger/store/tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Positions `first` to `last`, each event of about `bytes`.
std::shared_ptr<const Appended> Part(const std::string& ledger, std::int64_t first,
                                     std::int64_t last, std::size_t bytes = 0) {
  auto part = std::make_shared<Appended>();
  part->ledger = ledger;
  for (std::int64_t position = first; position <= last; ++position) {
    part->events.push_back({position, 1, absl::UnixEpoch(), std::string(bytes, 'x')});
  }
  return part;
}

std::vector<std::int64_t> PositionsOf(const Tail::Stretch& stretch) {
  std::vector<std::int64_t> positions;
  for (const auto& part : stretch.parts) {
    for (const StoredEvent& event : part->events) positions.push_back(event.position);
  }
  return positions;
}

constexpr std::size_t kAll = 1'000'000;

TEST(TailTest, KnowsNothingBeforeTheFirstEvent) {
  Tail tail(kAll);
  tail.Open("book");
  EXPECT_FALSE(tail.After("book", 0, kAll).is_known);
  EXPECT_TRUE(tail.After("book", 0, kAll).is_all);
  EXPECT_EQ(tail.Last("book"), 0);
  tail.Add(Part("book", 11, 12));
  EXPECT_EQ(tail.Last("book"), 12);
  // What was before may be anything.
  EXPECT_FALSE(tail.After("book", 9, kAll).is_known);
  EXPECT_FALSE(tail.After("book", 9, kAll).is_all);
  EXPECT_THAT(PositionsOf(tail.After("book", 10, kAll)), ElementsAre(11, 12));
}

TEST(TailTest, GivesWhatCameAfterAPosition) {
  Tail tail(kAll);
  tail.Open("book");
  tail.Add(Part("book", 1, 2));
  tail.Add(Part("book", 3, 3));
  tail.Add(Part("book", 4, 5));
  EXPECT_THAT(PositionsOf(tail.After("book", 0, kAll)), ElementsAre(1, 2, 3, 4, 5));
  // Whole commits: the reader leaves out what it has.
  EXPECT_THAT(PositionsOf(tail.After("book", 1, kAll)), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(PositionsOf(tail.After("book", 2, kAll)), ElementsAre(3, 4, 5));
  EXPECT_THAT(PositionsOf(tail.After("book", 4, kAll)), ElementsAre(4, 5));
  for (const std::int64_t position : {5, 6}) {
    const Tail::Stretch rest = tail.After("book", position, kAll);
    EXPECT_TRUE(rest.is_known && rest.is_all) << position;
    EXPECT_THAT(rest.parts, IsEmpty());
  }
  const Tail::Stretch some = tail.After("book", 0, 1);
  EXPECT_THAT(PositionsOf(some), ElementsAre(1, 2));
  EXPECT_FALSE(some.is_all);
}

TEST(TailTest, DropsTheOldestOfAllLedgers) {
  Tail tail(4 * (1000 + sizeof(StoredEvent)));
  tail.Open("a");
  tail.Open("b");
  tail.Add(Part("a", 1, 2, 1000));
  tail.Add(Part("b", 1, 2, 1000));
  EXPECT_TRUE(tail.After("a", 0, kAll).is_known);
  tail.Add(Part("b", 3, 3, 1000));
  EXPECT_FALSE(tail.After("a", 0, kAll).is_known);
  EXPECT_TRUE(tail.After("a", 2, kAll).is_known) << "nothing came after it";
  EXPECT_THAT(PositionsOf(tail.After("b", 0, kAll)), ElementsAre(1, 2, 3));
}

TEST(TailTest, WhatIsTooLargeIsNotKeptAndNotForgotten) {
  Tail tail(1000);
  tail.Open("book");
  tail.Add(Part("book", 1, 1));
  tail.Add(Part("book", 2, 9, 1000));
  EXPECT_EQ(tail.Last("book"), 9);
  EXPECT_FALSE(tail.After("book", 1, kAll).is_known);
  EXPECT_FALSE(tail.After("book", 1, kAll).is_all);
  tail.Add(Part("book", 10, 10));
  EXPECT_THAT(PositionsOf(tail.After("book", 9, kAll)), ElementsAre(10));
}

TEST(TailTest, KeepsOnlyWhatIsOpen) {
  Tail tail(kAll);
  tail.Add(Part("book", 1, 1));
  EXPECT_EQ(tail.Last("book"), 0);
  tail.Open("book");
  tail.Open("book");
  tail.Open("other");
  tail.Add(Part("book", 2, 2));
  tail.Add(Part("other", 1, 1));
  tail.Close("book");
  EXPECT_EQ(tail.Last("book"), 2);
  tail.Close("book");
  EXPECT_EQ(tail.Last("book"), 0);
  EXPECT_THAT(PositionsOf(tail.After("other", 0, kAll)), ElementsAre(1));
  tail.Open("book");
  EXPECT_FALSE(tail.After("book", 1, kAll).is_known);
}

}  // namespace
}  // namespace tally::store

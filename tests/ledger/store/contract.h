// The fixture of the contract suite: a store of either kind with one ledger, and short words for
// what can be done with it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/ledger/store/stores.h"
#include "tests/support/events.h"
#include "tests/support/fake_clock.h"

namespace tally::store {

template <typename Kind>
class EventStoreTest : public ::testing::Test {
 protected:
  EventStoreTest() : store_(Kind::Open(folder_, clock_)) { CreateLedger("book"); }

  void CreateLedger(const std::string& name) {
    Ledger ledger;
    ledger.name = name;
    EXPECT_TRUE(store_->CreateLedger(ledger, nullptr).ok());
  }
  absl::StatusOr<std::vector<Receipt>> Append(std::vector<settlement::Event> events) {
    return AppendAndWait(*store_, "book", std::move(events));
  }
  std::vector<Receipt> MustAppend(std::vector<settlement::Event> events) {
    auto receipts = Append(std::move(events));
    EXPECT_TRUE(receipts.ok()) << receipts.status();
    return receipts.ok() ? *receipts : std::vector<Receipt>();
  }
  std::vector<settlement::RecordedEvent> History(const settlement::Subject& subject) {
    auto history = store_->History("book", subject);
    EXPECT_TRUE(history.ok()) << history.status();
    return history.ok() ? *history : std::vector<settlement::RecordedEvent>();
  }
  std::vector<settlement::RecordedEvent> Log(std::int64_t after = 0, std::size_t limit = 10000) {
    auto log = store_->ReadEvents("book", after, limit);
    EXPECT_TRUE(log.ok()) << log.status();
    return log.ok() ? *log : std::vector<settlement::RecordedEvent>();
  }
  std::vector<settlement::Subject> Find(settlement::AliasKind kind, const std::string& value,
                                        std::size_t limit = 100) {
    auto found = store_->Find("book", {kind, value}, limit);
    EXPECT_TRUE(found.ok()) << found.status();
    return found.ok() ? *found : std::vector<settlement::Subject>();
  }
  std::vector<Summary> List(ListQuery query = {}) {
    query.now = clock_.Now();
    auto rows = store_->List("book", query);
    EXPECT_TRUE(rows.ok()) << rows.status();
    return rows.ok() ? *rows : std::vector<Summary>();
  }
  std::vector<settlement::Subject> Listed(const ListQuery& query = {}) {
    std::vector<settlement::Subject> subjects;
    for (const Summary& row : List(query)) subjects.push_back(row.subject);
    return subjects;
  }
  void ExpectRebuildAgrees() {
    const auto report = store_->Rebuild(false);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(report->differences, ::testing::IsEmpty());
  }

  TemporaryFolder folder_;
  support::FakeClock clock_;
  std::unique_ptr<EventStore> store_;
};

using Kinds = ::testing::Types<MemoryKind, SqliteKind>;

}  // namespace tally::store

// No question a caller can ask walks through a table: SQLite itself is asked, after each ran.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ledger/store/sqlite/reads.h"
#include "tests/ledger/store/stores.h"
#include "tests/support/events.h"
#include "tests/support/fake_clock.h"

namespace tally::store::sqlite {
namespace {

using support::Payment;
using support::Presented;

class PlansTest : public ::testing::Test {
 protected:
  PlansTest() {
    SqliteEventStore::Options options;
    options.path = folder_.File("ledger.db");
    auto store = SqliteEventStore::Open(options, clock_);
    EXPECT_TRUE(store.ok()) << store.status();
    Ledger ledger;
    ledger.name = "book";
    EXPECT_TRUE((*store)->CreateLedger(ledger, nullptr).ok());
    std::vector<settlement::Event> events;
    for (int n = 1; n <= 50; ++n) events.push_back(Presented(absl::StrCat("event-", n), n, n));
    EXPECT_TRUE(AppendAndWait(**store, "book", std::move(events)).ok());
    connection_ = *Connection::Open(options.path, Access::kRead);
    ledger_ = *ReadLedger(*connection_, "book");
  }

  // Rows that were stepped over in search of those asked for, by the statements used so far.
  int WalkedOver() {
    int walked = 0;
    sqlite3* database = connection_->database().getHandle();
    for (sqlite3_stmt* each = sqlite3_next_stmt(database, nullptr); each != nullptr;
         each = sqlite3_next_stmt(database, each)) {
      walked += sqlite3_stmt_status(each, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
    }
    return walked;
  }

  TemporaryFolder folder_;
  support::FakeClock clock_;
  std::unique_ptr<Connection> connection_;
  LedgerRow ledger_;
};

TEST_F(PlansTest, NothingIsWalkedThrough) {
  const std::int64_t subject_no = FindSubjectNo(*connection_, ledger_.ledger_no, Payment(7));
  ASSERT_NE(subject_no, 0);
  EXPECT_EQ(ReadSubject(*connection_, subject_no, Payment(7))->size(), 1U);
  EXPECT_TRUE(FindEvent(*connection_, ledger_, "event-7")->has_value());
  EXPECT_EQ(FindUnderAlias(*connection_, ledger_.ledger_no,
                           {settlement::AliasKind::kSlot, support::SlotText(7)}, 10)
                .size(),
            1U);
  EXPECT_EQ(ReadLog(*connection_, ledger_.ledger_no, 40, 5)->size(), 5U);
  ListQuery query;
  query.now = clock_.Now();
  query.from = support::At(10);
  query.before = support::At(20);
  EXPECT_EQ(ReadSummaries(*connection_, ledger_.ledger_no, query)->size(), 10U);
  query.after = std::pair(support::At(12), Payment(12));
  EXPECT_EQ(ReadSummaries(*connection_, ledger_.ledger_no, query)->size(), 7U);
  EXPECT_EQ(WalkedOver(), 0);
}

TEST_F(PlansTest, WalksWouldBeSeen) {
  connection_->database().execAndGet("SELECT count(*) FROM events");
  Query walk(*connection_, "SELECT count(*) FROM events WHERE recorded_us > 0");
  EXPECT_TRUE(walk.Next());
  EXPECT_GT(WalkedOver(), 0);
}

}  // namespace
}  // namespace tally::store::sqlite

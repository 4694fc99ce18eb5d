// What only a file can do: be opened again, be held, be broken, be full.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <future>

#include "ledger/base/error.h"
#include "ledger/store/sqlite/checked_vfs.h"
#include "tests/ledger/store/stores.h"
#include "tests/support/events.h"
#include "tests/support/fake_clock.h"

namespace tally::store {
namespace {

using settlement::Event;
using support::Payment;
using support::Presented;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class SqliteEventStoreTest : public ::testing::Test {
 protected:
  SqliteEventStoreTest() {
    options_.path = folder_.File("ledger.db");
    options_.address = "unix:/run/tallyd";
  }

  absl::StatusOr<std::unique_ptr<SqliteEventStore>> TryOpen() {
    return SqliteEventStore::Open(options_, clock_);
  }
  std::unique_ptr<SqliteEventStore> Open() {
    auto store = TryOpen();
    EXPECT_TRUE(store.ok()) << store.status();
    if (!store.ok()) std::abort();
    return *std::move(store);
  }
  std::unique_ptr<SqliteEventStore> OpenNew() {
    auto store = Open();
    Ledger ledger;
    ledger.name = "book";
    EXPECT_TRUE(store->CreateLedger(ledger, nullptr).ok());
    return store;
  }
  static absl::Status Append(EventStore& store, const std::string& id, int n) {
    return AppendAndWait(store, "book", {Presented(id, n, 0)}).status();
  }
  static std::size_t CountEvents(EventStore& store) {
    const auto log = store.ReadEvents("book", 0, 100000);
    EXPECT_TRUE(log.ok()) << log.status();
    return log.ok() ? log->size() : 0;
  }
  // On a closed database. Pages keep their checksums, so that only what is in them is wrong.
  void Execute(const std::string& sql) {
    SQLite::Database database(options_.path, SQLite::OPEN_READWRITE, 0, sqlite::CheckedVfs(""));
    database.exec(sql);
  }

  TemporaryFolder folder_;
  support::FakeClock clock_;
  SqliteEventStore::Options options_;
};

TEST_F(SqliteEventStoreTest, EverythingIsThereAfterReopening) {
  {
    const auto store = OpenNew();
    ASSERT_TRUE(Append(*store, "a", 1).ok());
  }
  const auto store = Open();
  EXPECT_THAT(*store->History("book", Payment(1)), SizeIs(1));
  clock_.Advance(-absl::Hours(1));
  const auto receipts = AppendAndWait(*store, "book", {Presented("a", 1, 0), Presented("b", 1, 1)});
  ASSERT_TRUE(receipts.ok()) << receipts.status();
  EXPECT_TRUE(receipts->at(0).is_replayed);
  EXPECT_EQ(receipts->at(1).position, 2);
  EXPECT_EQ(receipts->at(1).version, 2);
  EXPECT_EQ(receipts->at(1).recorded_time, receipts->at(0).recorded_time);
  EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
}

TEST_F(SqliteEventStoreTest, FilesArePrivate) {
  const auto store = OpenNew();
  ASSERT_TRUE(Append(*store, "a", 1).ok());
  for (const char* suffix : {"", "-wal", "-shm", ".lock"}) {
    struct stat file {};
    ASSERT_EQ(stat((options_.path + suffix).c_str(), &file), 0) << suffix;
    EXPECT_EQ(file.st_mode & 0777U, 0600U) << suffix;
  }
}

TEST_F(SqliteEventStoreTest, SecondWriterIsToldWhoHoldsIt) {
  const auto store = OpenNew();
  const auto second = TryOpen();
  EXPECT_EQ(ReasonOf(second.status()), Reason::kDatabaseHeld);
  EXPECT_EQ(MetadataOf(second.status()).at("pid"), absl::StrCat(getpid()));
  EXPECT_EQ(MetadataOf(second.status()).at("address"), "unix:/run/tallyd");
}

TEST_F(SqliteEventStoreTest, LinkLeadsToTheSameLock) {
  const auto store = OpenNew();
  std::filesystem::create_symlink(options_.path, folder_.File("link.db"));
  options_.path = folder_.File("link.db");
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kDatabaseHeld);
}

TEST_F(SqliteEventStoreTest, ReadingStoreSeesWritesBesideItAndRefusesItsOwn) {
  auto writer = OpenNew();
  options_.mode = SqliteEventStore::Mode::kReadOnly;
  const auto reader = Open();
  ASSERT_TRUE(Append(*writer, "a", 1).ok());
  EXPECT_EQ(CountEvents(*reader), 1U);
  EXPECT_EQ(ReasonOf(Append(*reader, "b", 1)), Reason::kDatabaseHeld);
  EXPECT_EQ(ReasonOf(reader->Health()), Reason::kDatabaseHeld);
  EXPECT_THAT(reader->Rebuild(false)->differences, IsEmpty());
  writer.reset();
  EXPECT_EQ(CountEvents(*reader), 1U);
  EXPECT_EQ(ReasonOf(Append(*reader, "b", 1)), Reason::kDatabaseUnusable);
}

TEST_F(SqliteEventStoreTest, ReadingStoreRecoversTheLogOfAKilledWriter) {
  const auto writer = OpenNew();
  ASSERT_TRUE(Append(*writer, "a", 1).ok());
  // What a kill leaves: the file and its log, no lock and no index of the log.
  const std::string path = folder_.File("killed.db");
  std::filesystem::copy_file(options_.path, path);
  std::filesystem::copy_file(options_.path + "-wal", path + "-wal");
  options_.path = path;
  options_.mode = SqliteEventStore::Mode::kReadOnly;
  const auto reader = Open();
  EXPECT_EQ(CountEvents(*reader), 1U);
}

TEST_F(SqliteEventStoreTest, UnusablePathsAreSaid) {
  std::ofstream(folder_.File("file")) << "x";
  for (const std::string& path : {folder_.File("file/ledger.db"), folder_.File("none/ledger.db"),
                                  std::string("/proc/ledger.db")}) {
    options_.path = path;
    const auto store = TryOpen();
    EXPECT_EQ(ReasonOf(store.status()), Reason::kDatabaseUnusable) << path;
    EXPECT_THAT(std::string(store.status().message()), HasSubstr(path));
  }
}

TEST_F(SqliteEventStoreTest, ReadingNeedsAFileThatIsThere) {
  options_.mode = SqliteEventStore::Mode::kReadOnly;
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kDatabaseUnusable);
  EXPECT_FALSE(std::filesystem::exists(options_.path));
}

TEST_F(SqliteEventStoreTest, ForeignFilesAreLeftAlone) {
  {
    SQLite::Database other(options_.path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE theirs (x)");
  }
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kDatabaseUnusable);
  SQLite::Database other(options_.path);
  EXPECT_EQ(other.execAndGet("PRAGMA journal_mode").getString(), "delete");
  options_.path = folder_.File("text");
  std::ofstream(options_.path) << std::string(5000, 'x');
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kDatabaseUnusable);
}

TEST_F(SqliteEventStoreTest, NewerSchemaIsRefused) {
  OpenNew().reset();
  Execute("INSERT INTO schema VALUES (9999, 'from the future', 'x', 0)");
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kSchemaNewer);
  options_.mode = SqliteEventStore::Mode::kReadOnly;
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kSchemaNewer);
}

TEST_F(SqliteEventStoreTest, ChangedMigrationIsDataLoss) {
  OpenNew().reset();
  Execute("UPDATE schema SET checksum = 'x' WHERE version = 1");
  EXPECT_EQ(ReasonOf(TryOpen().status()), Reason::kDataLoss);
}

TEST_F(SqliteEventStoreTest, ChangedRowsAreNeverServed) {
  ASSERT_TRUE(Append(*OpenNew(), "a", 1).ok());
  for (const char* change :
       {"UPDATE events SET recorded_us = recorded_us + 1", "UPDATE events SET position = 2",
        "UPDATE events SET event_no = event_no + 1",
        "UPDATE events SET envelope = CAST(envelope || 'x' AS BLOB)"}) {
    const std::string intact = folder_.File("intact.db");
    std::filesystem::copy_file(options_.path, intact);
    Execute(change);
    {
      const auto store = Open();
      EXPECT_EQ(ReasonOf(store->ReadEvents("book", 0, 10).status()), Reason::kDataLoss) << change;
      EXPECT_EQ(ReasonOf(store->History("book", Payment(1)).status()), Reason::kDataLoss) << change;
      EXPECT_EQ(ReasonOf(store->Rebuild(false).status()), Reason::kDataLoss) << change;
      EXPECT_EQ(ReasonOf(Append(*store, "b", 1)), Reason::kDataLoss) << change;
      EXPECT_TRUE(store->Health().ok());
    }
    std::filesystem::rename(intact, options_.path);
  }
}

TEST_F(SqliteEventStoreTest, MissingRowIsDataLoss) {
  {
    const auto store = OpenNew();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(Append(*store, absl::StrCat(i), 1).ok());
  }
  Execute("DELETE FROM events WHERE position = 2");
  const auto store = Open();
  EXPECT_EQ(ReasonOf(store->ReadEvents("book", 0, 10).status()), Reason::kDataLoss);
  EXPECT_EQ(ReasonOf(store->History("book", Payment(1)).status()), Reason::kDataLoss);
}

TEST_F(SqliteEventStoreTest, RebuildFindsAndMendsChangedProjections) {
  ASSERT_TRUE(Append(*OpenNew(), "a", 1).ok());
  Execute("UPDATE subjects SET label = 'PAID', payer = 'x'");
  Execute("DELETE FROM aliases WHERE substr(alias_key, 5, 1) = x'01'");
  const auto store = Open();
  EXPECT_THAT(store->Rebuild(false)->differences, Not(IsEmpty()));
  EXPECT_THAT(store->Rebuild(false)->differences, Not(IsEmpty()));
  EXPECT_THAT(store->Rebuild(true)->differences, Not(IsEmpty()));
  EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
  ASSERT_TRUE(Append(*store, "b", 1).ok());
  EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
}

TEST_F(SqliteEventStoreTest, FullDatabaseRefusesWritesAndKeepsServing) {
  sqlite3* connection = nullptr;
  const auto set_pages = [&connection](int pages) {
    const std::string sql = absl::StrCat("PRAGMA max_page_count = ", pages);
    return sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr);
  };
  options_.writer_hook = [&](SQLite::Database& database) { connection = database.getHandle(); };
  const auto store = OpenNew();
  ASSERT_EQ(set_pages(1), SQLITE_OK);  // not less than what is there
  absl::Status status;
  int written = 0;
  while (status.ok()) {
    status = Append(*store, absl::StrCat(written), written + 1);
    if (status.ok()) ++written;
  }
  EXPECT_EQ(ReasonOf(status), Reason::kDatabaseFull) << status;
  EXPECT_TRUE(store->Health().ok());
  EXPECT_EQ(CountEvents(*store), static_cast<std::size_t>(written));
  ASSERT_EQ(set_pages(100000), SQLITE_OK);
  EXPECT_TRUE(Append(*store, "room again", 1).ok());
  EXPECT_EQ(CountEvents(*store), static_cast<std::size_t>(written) + 1);
  EXPECT_THAT(store->Rebuild(false)->differences, IsEmpty());
}

TEST_F(SqliteEventStoreTest, WriterStopsAfterAnUnknownOutcomeAndReopeningRecovers) {
  std::atomic<bool> fails = false;
  options_.writer_hook = [&fails](SQLite::Database& database) {
    const auto hook = [](void* flag) {
      return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0;
    };
    sqlite3_commit_hook(database.getHandle(), hook, &fails);
  };
  {
    const auto store = OpenNew();
    ASSERT_TRUE(Append(*store, "a", 1).ok());
    fails = true;
    EXPECT_EQ(ReasonOf(Append(*store, "b", 1)), Reason::kStoreStopped);
    fails = false;
    EXPECT_EQ(ReasonOf(Append(*store, "c", 1)), Reason::kStoreStopped);
    EXPECT_EQ(ReasonOf(store->Health()), Reason::kStoreStopped);
    EXPECT_EQ(CountEvents(*store), 1U);
  }
  const auto store = Open();
  ASSERT_TRUE(Append(*store, "b", 1).ok());
  EXPECT_EQ(CountEvents(*store), 2U);
}

TEST_F(SqliteEventStoreTest, QueueIsBounded) {
  options_.queue_jobs_max = 1;
  const auto store = OpenNew();
  std::promise<void> entered;
  std::promise<void> release;
  std::promise<void> done;
  store->Decide(
      "book",
      [&](View&, absl::Time) -> absl::StatusOr<std::vector<Event>> {
        entered.set_value();
        release.get_future().wait();
        return std::vector<Event>();
      },
      [](const auto&) {});
  entered.get_future().wait();
  store->Append("book", {Presented("a", 1, 0)}, [&done](const auto& receipts) {
    EXPECT_TRUE(receipts.ok());
    done.set_value();
  });
  EXPECT_EQ(ReasonOf(Append(*store, "b", 2)), Reason::kOverloaded);
  release.set_value();
  done.get_future().wait();
  EXPECT_TRUE(Append(*store, "b", 2).ok());
}

TEST_F(SqliteEventStoreTest, ClosingCommitsWhatIsQueued) {
  std::atomic<int> acknowledged = 0;
  {
    const auto store = OpenNew();
    for (int i = 0; i < 50; ++i) {
      store->Append(
          "book", {Presented(absl::StrCat(i), i + 1, i)},
          [&acknowledged](const auto& receipts) { acknowledged += receipts.ok() ? 1 : 0; });
    }
  }
  EXPECT_EQ(acknowledged, 50);
  EXPECT_EQ(CountEvents(*Open()), 50U);
}

TEST_F(SqliteEventStoreTest, RefusalInAGroupDoesNotTouchItsNeighbours) {
  const auto store = OpenNew();
  std::promise<void> release;
  store->Decide(
      "book",
      [&](View&, absl::Time) -> absl::StatusOr<std::vector<Event>> {
        release.get_future().wait();
        return std::vector<Event>{Presented("a", 1, 0)};
      },
      [](const auto&) {});
  std::promise<absl::Status> refused;
  std::promise<absl::Status> stored;
  store->Append("book", {Presented("b", 2, 0), Presented("a", 3, 0)},
                [&](const auto& receipts) { refused.set_value(receipts.status()); });
  store->Append("book", {Presented("b", 4, 0)},
                [&](const auto& receipts) { stored.set_value(receipts.status()); });
  release.set_value();
  EXPECT_EQ(ReasonOf(refused.get_future().get()), Reason::kEventIdReused);
  EXPECT_TRUE(stored.get_future().get().ok());
  EXPECT_EQ(CountEvents(*store), 2U);
}

TEST_F(SqliteEventStoreTest, BackupIsACompletePrivateCopy) {
  const auto store = OpenNew();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Append(*store, absl::StrCat(i), i + 1).ok());
  const std::string copy = folder_.File("copy.db");
  const absl::Status status = store->Backup(copy);
  ASSERT_TRUE(status.ok()) << status;
  struct stat file {};
  ASSERT_EQ(stat(copy.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
  EXPECT_FALSE(std::filesystem::exists(copy + "-wal"));
  EXPECT_EQ(ReasonOf(store->Backup(copy)), Reason::kDatabaseUnusable);
  options_.path = copy;
  const auto restored = Open();
  EXPECT_EQ(CountEvents(*restored), 20U);
  EXPECT_TRUE(Append(*restored, "more", 1).ok());
  EXPECT_EQ(CountEvents(*store), 20U);
}

TEST_F(SqliteEventStoreTest, BackupToAnUnusablePathIsSaid) {
  const auto store = OpenNew();
  EXPECT_EQ(ReasonOf(store->Backup(folder_.File("none/copy.db"))), Reason::kDatabaseUnusable);
}

}  // namespace
}  // namespace tally::store

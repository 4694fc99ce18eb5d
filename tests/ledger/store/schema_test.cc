#include "ledger/store/sqlite/schema.h"

#include <gtest/gtest.h>

#include "ledger/base/error.h"
#include "ledger/store/sqlite/files.h"
#include "tests/ledger/store/stores.h"

namespace tally::store::sqlite {
namespace {

constexpr Migration kFirst = {1, "0001_first",
                              "CREATE TABLE schema (version INTEGER PRIMARY KEY, name TEXT,"
                              " checksum TEXT, applied_us INTEGER);"
                              "CREATE TABLE things (x); INSERT INTO things VALUES (1);"};
constexpr Migration kSecond = {2, "0002_second", "ALTER TABLE things ADD COLUMN y DEFAULT 7;"};
constexpr Migration kBroken = {2, "0002_broken",
                               "CREATE TABLE more (x); SELECT no_such_function();"};

class SchemaTest : public ::testing::Test {
 protected:
  SchemaTest() {
    const std::string path = folder_.File("schema.db");
    EXPECT_TRUE(CreatePrivateFile(path, true).ok());
    connection_ = Connection::Open(path, Access::kWrite).value();
  }
  absl::Status Apply(const std::vector<Migration>& migrations) {
    return Migrate(*connection_, migrations, absl::UnixEpoch());
  }
  std::int64_t Scalar(const char* sql) {
    return connection_->database().execAndGet(sql).getInt64();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(SchemaTest, MigrationsAreAppliedOnceAndInOrder) {
  ASSERT_TRUE(Apply({kFirst}).ok());
  ASSERT_TRUE(Apply({kFirst, kSecond}).ok());
  ASSERT_TRUE(Apply({kFirst, kSecond}).ok());
  EXPECT_EQ(Scalar("SELECT count(*) FROM things"), 1);
  EXPECT_EQ(Scalar("SELECT y FROM things"), 7);
  EXPECT_EQ(CheckSchema(*connection_, {kFirst, kSecond}).value(), 2U);
  EXPECT_EQ(ReasonOf(CheckSchema(*connection_, {kFirst}).status()), Reason::kSchemaNewer);
}

TEST_F(SchemaTest, FailedMigrationLeavesTheSchemaBeforeIt) {
  ASSERT_TRUE(Apply({kFirst}).ok());
  EXPECT_FALSE(Apply({kFirst, kBroken}).ok());
  EXPECT_EQ(Scalar("SELECT count(*) FROM sqlite_master WHERE name = 'more'"), 0);
  EXPECT_EQ(CheckSchema(*connection_, {kFirst}).value(), 1U);
  EXPECT_TRUE(Apply({kFirst, kSecond}).ok());
}

TEST_F(SchemaTest, EmbeddedMigrationsAreNumberedFromOne) {
  std::int64_t version = 0;
  for (const Migration& migration : Migrations()) EXPECT_EQ(migration.version, ++version);
  EXPECT_GT(version, 0);
}

}  // namespace
}  // namespace tally::store::sqlite

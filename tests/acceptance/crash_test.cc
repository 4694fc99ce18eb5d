// kill -9 while several callers write, as `tally selftest` does it: nothing acknowledged is lost.
// TALLY_CRASH_ROUNDS says how often.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "tests/support/program.h"

namespace tally::acceptance {
namespace {

using support::Ended;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Rounds() {
  const char* rounds = getenv("TALLY_CRASH_ROUNDS");
  return rounds == nullptr ? "10" : rounds;
}

TEST(CrashTest, NothingAcknowledgedIsLost) {
  const std::string folder = support::NewFolder();
  const Ended ended = support::RunTally({"selftest", "--crash-cycles", Rounds(), "--seed", "1",
                                         "--folder", folder, "--output", "json"});
  EXPECT_EQ(ended.code, 0) << ended.err << ended.out;
  const json::Value report = support::ParseJson(ended.out);
  EXPECT_THAT(*report.Find({"wrong"})->array(), IsEmpty());
  // It can only be right if something happened.
  for (const char* count : {"cycles", "kills", "batches", "events", "claims", "askedAgain"}) {
    EXPECT_THAT(ended.out, HasSubstr(absl::StrCat("\"", count, "\": ")));
    EXPECT_THAT(ended.out, ::testing::Not(HasSubstr(absl::StrCat("\"", count, "\": 0"))));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder)) << "it leaves nothing behind";
}

TEST(CrashTest, NeedsANumberOfCycles) {
  EXPECT_EQ(support::RunTally({"selftest"}).code, 2);
  EXPECT_EQ(support::RunTally({"selftest", "--crash-cycles", "0"}).code, 2);
}

}  // namespace
}  // namespace tally::acceptance

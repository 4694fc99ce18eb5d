// The help of every verb is a golden: UPDATE_GOLDENS=1 writes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/support/program.h"

namespace tally {
namespace {

using support::Ended;
using support::RunTally;

class HelpTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Verbs, HelpTest,
                         ::testing::Values("", "ledger", "ledger create", "ledger list", "import",
                                           "list", "show", "stats", "watch", "events", "id",
                                           "rebuild", "backup", "check", "selftest"),
                         [](const auto& of) {
                           std::string name = of.param.empty() ? "tally" : of.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST_P(HelpTest, IsAsItWas) {
  std::vector<std::string> arguments = absl::StrSplit(GetParam(), ' ', absl::SkipEmpty());
  arguments.emplace_back("--help");
  const Ended ended = RunTally(arguments);
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  std::string name = GetParam().empty() ? "tally" : GetParam();
  std::replace(name.begin(), name.end(), ' ', '-');
  const std::string golden = support::TestData(absl::StrCat("help/", name, ".golden"));
  if (getenv("UPDATE_GOLDENS") != nullptr) support::WriteFile(golden, ended.out);
  EXPECT_EQ(ended.out, support::ReadFile(golden));
  for (const absl::string_view line : absl::StrSplit(ended.out, '\n')) {
    EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(ProgramTest, AloneItPrintsHelp) {
  const Ended ended = RunTally({});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, RunTally({"--help"}).out);
}

TEST(ProgramTest, HasAVersion) {
  const Ended ended = RunTally({"--version"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.out, ::testing::MatchesRegex("tally [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace tally

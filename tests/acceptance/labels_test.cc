// Every label is reached through `tally import` and shown by `tally show`.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tests/support/program.h"

namespace tally {
namespace {

using support::Ended;
using support::ParseJson;
using support::RunTally;
using support::TestData;
using support::TextAt;

// A line of tests/testdata/labels/expected.csv.
struct Expected {
  std::string file, settlement_id, role, as_of, label, liveness, seller, buyer, may_pay_again,
      anomalies;
};

std::vector<Expected> ReadExpected() {
  std::istringstream lines(support::ReadFile(TestData("labels/expected.csv")));
  std::vector<Expected> all;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    EXPECT_EQ(cells.size(), 10U) << line;
    if (cells.size() != 10) continue;
    all.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7],
                   cells[8], cells[9]});
  }
  return all;
}

std::string NameOf(const Expected& expected) {
  std::string name = expected.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class LabelsTest : public ::testing::TestWithParam<Expected> {};
INSTANTIATE_TEST_SUITE_P(Transcripts, LabelsTest, ::testing::ValuesIn(ReadExpected()),
                         [](const auto& of) { return NameOf(of.param); });

TEST_P(LabelsTest, IsShown) {
  const Expected& expected = GetParam();
  const std::string database = support::NewFolder() + "/book.db";
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--database", database});
    return RunTally(arguments);
  };
  ASSERT_EQ(run({"ledger", "create", "book", "--role", expected.role}).code, 0);
  const Ended imported =
      run({"import", TestData(absl::StrCat("labels/", expected.file, ".jsonl"))});
  ASSERT_EQ(imported.code, 0) << imported.err;

  // A challenge alone has no settlement id: then the book's only row is meant.
  std::string id = expected.settlement_id;
  if (id.empty()) {
    const json::Value rows = ParseJson(run({"list", "--output", "json"}).out);
    ASSERT_EQ(rows.array()->size(), 1U);
    id = TextAt(rows.array()->front(), {"challengeId"});
  }
  const Ended shown = run({"show", id, "--as-of", expected.as_of, "--output", "json"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  const json::Value value = ParseJson(shown.out);
  EXPECT_EQ(TextAt(value, {"label"}), expected.label) << shown.out;
  EXPECT_EQ(TextAt(value, {"liveness"}), expected.liveness);
  EXPECT_EQ(TextAt(value, {"advice", "seller"}), expected.seller);
  EXPECT_EQ(TextAt(value, {"advice", "buyer"}), expected.buyer);
  EXPECT_EQ(*value.Find("mayPayAgain")->boolean(), expected.may_pay_again == "true");
  std::vector<std::string> anomalies;
  for (const json::Value& word : *value.Find("anomalies")->array()) {
    anomalies.push_back(*word.string());
  }
  EXPECT_EQ(absl::StrJoin(anomalies, " "), expected.anomalies);

  const Ended words = run({"show", id, "--as-of", expected.as_of});
  ASSERT_EQ(words.code, 0);
  EXPECT_EQ(words.out.rfind(expected.label, 0), 0U) << words.out;
  EXPECT_EQ(run({"rebuild"}).code, 0);
}

TEST(LabelsTableTest, HoldsEveryLabel) {
  std::set<std::string> labels;
  for (const Expected& expected : ReadExpected()) labels.insert(expected.label);
  EXPECT_EQ(labels.size(), 25U) << absl::StrJoin(labels, " ");
}

}  // namespace
}  // namespace tally

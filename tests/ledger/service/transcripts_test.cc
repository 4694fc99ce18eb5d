// The captured exchanges, through Observe, as each party's ledger reads them.
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/ledger/service/fixture.h"

namespace tally::service {
namespace {

struct Row {
  const char* name;
  const char* seller;
  const char* liveness;
  const char* anomalies;
  const char* buyer;
  bool has_chain_tx;
};
constexpr Row kRows[] = {
    {"settled", "PAID", "SPENT_BY_THIS", "", "PAID", true},
    {"refused", "REFUSED", "LIVE", "ANSWER_EXTRACTABLE_AS_PAYABLE", "IN_DOUBT", false},
    {"settle-false", "RAN_UNPAID", "LIVE", "SERVED_UNPAID", "RAN_UNPAID", false},
    {"pending", "RAN_OPEN", "NOT_PROVABLE", "SERVED_BEFORE_SETTLED", "RAN_OPEN", true},
    {"pending-http-500", "RAN_OPEN", "NOT_PROVABLE", "ANSWER_EXTRACTABLE_AS_PAYABLE", "IN_DOUBT",
     true},
    {"facilitator-500", "RAN_OPEN", "NOT_PROVABLE", "ANSWER_EXTRACTABLE_AS_PAYABLE", "IN_DOUBT",
     false},
    {"socket-dropped", "RAN_OPEN", "NOT_PROVABLE", "ANSWER_EXTRACTABLE_AS_PAYABLE", "IN_DOUBT",
     false},
    {"recorder-throws", "PAID_UNDELIVERED", "SPENT_BY_THIS", "ANSWER_EXTRACTABLE_AS_PAYABLE",
     "IN_DOUBT", true},
    {"tool-error", "TOOL_FAILED", "LIVE", "", "IN_DOUBT", false},
};

std::vector<std::string> LinesOf(const Row& row, const char* side) {
  return ReadTestLines(absl::StrCat("transcripts/", row.name, ".", side, ".jsonl"));
}

class TranscriptsTest : public testing::TestWithParam<Row> {
 protected:
  TranscriptsTest() {
    services_.Create("seller", v1::LEDGER_ROLE_SELLER);
    services_.Create("buyer", v1::LEDGER_ROLE_BUYER);
  }

  // The one row of the ledger, judged a second after the last line.
  v1::Settlement Only(const std::string& ledger, absl::Time at) {
    services_.clock.now = at + absl::Seconds(1);
    v1::ListSettlementsRequest request;
    request.set_ledger(ledger);
    const std::vector<v1::Settlement> rows = services_.List(request);
    EXPECT_EQ(rows.size(), 1U);
    return rows.empty() ? v1::Settlement() : rows.front();
  }

  Services services_;
};

TEST_P(TranscriptsTest, ReadsAsTheTableSays) {
  const Row& row = GetParam();
  const auto sold = services_.Import("seller", LinesOf(row, "seller"));
  const auto bought = services_.Import("buyer", LinesOf(row, "buyer"));
  EXPECT_TRUE(sold.faults.empty()) << sold.faults.front();
  EXPECT_TRUE(bought.faults.empty()) << bought.faults.front();
  const v1::Settlement seller = Only("seller", sold.last_time);
  const v1::Settlement buyer = Only("buyer", bought.last_time);
  EXPECT_EQ(LabelOf(seller), row.seller);
  EXPECT_EQ(LivenessOf(seller), row.liveness);
  EXPECT_EQ(AnomaliesOf(seller), row.anomalies);
  EXPECT_EQ(LabelOf(buyer), row.buyer);
  EXPECT_EQ(!seller.chain_tx().empty(), row.has_chain_tx);
  EXPECT_FALSE(seller.may_pay_again());
  EXPECT_FALSE(buyer.may_pay_again());
  EXPECT_EQ(seller.settlement_id(), buyer.settlement_id());
  EXPECT_EQ(seller.subject().settlement_id(), seller.settlement_id());
  EXPECT_FALSE(seller.challenge_id().empty());
}

TEST_P(TranscriptsTest, ImportedTwiceAddsNothing) {
  const std::vector<std::string> lines = LinesOf(GetParam(), "seller");
  const auto first = services_.Import("seller", lines);
  const std::int64_t position = services_.LastPosition("seller");
  const auto again = services_.Import("seller", lines, /*is_one_by_one=*/true);
  EXPECT_EQ(again.recorded, 0);
  EXPECT_EQ(again.replayed, first.recorded);
  EXPECT_TRUE(again.faults.empty());
  EXPECT_EQ(services_.LastPosition("seller"), position);
}

TEST_P(TranscriptsTest, CutAnywhereAndThenWholeEndsTheSame) {
  const std::vector<std::string> lines = LinesOf(GetParam(), "seller");
  Services whole;
  whole.Create("seller", v1::LEDGER_ROLE_SELLER);
  const auto all = whole.Import("seller", lines);
  whole.clock.now = all.last_time;
  const std::string expected = whole.List({}).front().SerializeAsString();
  for (std::size_t cut = 0; cut < lines.size(); ++cut) {
    Services services;
    services.Create("seller", v1::LEDGER_ROLE_SELLER);
    services.clock.now = all.last_time;
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(cut);
    services.Import("seller", {lines.begin(), end});
    services.Import("seller", lines);
    const std::vector<v1::Settlement> rows = services.List({});
    ASSERT_EQ(rows.size(), 1U) << cut;
    EXPECT_EQ(rows.front().SerializeAsString(), expected) << cut;
  }
}

// What the ledger knew when the recorder died after a line.
TEST_P(TranscriptsTest, NoCutClaimsWhatItDoesNotShow) {
  const std::vector<std::string> lines = LinesOf(GetParam(), "seller");
  Services whole;
  whole.Create("seller", v1::LEDGER_ROLE_SELLER);
  const auto all = whole.Import("seller", lines);
  for (std::size_t cut = 0; cut < lines.size(); ++cut) {
    Services services;
    services.Create("seller", v1::LEDGER_ROLE_SELLER);
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(cut);
    services.Import("seller", {lines.begin(), end});
    services.clock.now = all.last_time;
    for (const v1::Settlement& row : services.List({})) {
      const bool is_final_at_the_end = LabelOf(row) == GetParam().seller;
      const std::string label = LabelOf(row);
      const bool claims =
          label == "PAID" || label == "REFUSED" || label == "TOOL_FAILED" || label == "RAN_UNPAID";
      EXPECT_TRUE(!claims || is_final_at_the_end) << cut << " " << label;
    }
  }
}

TEST_P(TranscriptsTest, AsOfAnEarlierTimeTheChallengeIsTheRow) {
  const std::vector<std::string> lines = LinesOf(GetParam(), "seller");
  services_.Import("seller", {lines.begin(), lines.begin() + 3});
  const v1::Settlement challenged = Only("seller", services_.clock.now);
  ASSERT_EQ(LabelOf(challenged), "CHALLENGED");
  services_.Import("seller", lines);
  v1::ListSettlementsRequest request;
  request.set_ledger("seller");
  *request.mutable_as_of() = challenged.last_time();
  const std::vector<v1::Settlement> rows = services_.List(request);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(LabelOf(rows.front()), "CHALLENGED");
  EXPECT_EQ(rows.front().challenge_id(), challenged.challenge_id());
}

INSTANTIATE_TEST_SUITE_P(All, TranscriptsTest, testing::ValuesIn(kRows), [](const auto& row) {
  std::string name = row.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(TranscriptsTogetherTest, AnyOrderOfFilesEndsTheSame) {
  std::vector<std::string> forward;
  for (const int direction : {1, -1}) {
    Services services;
    services.Create("seller", v1::LEDGER_ROLE_SELLER);
    constexpr int kCount = static_cast<int>(std::size(kRows));
    for (int i = 0; i < kCount; ++i) {
      const Row& row = kRows[direction > 0 ? i : kCount - 1 - i];
      services.Import("seller", LinesOf(row, "seller"));
    }
    std::vector<std::string> labels;
    for (const v1::Settlement& row : services.List({})) {
      labels.push_back(
          absl::StrCat(row.settlement_id(), LabelOf(row), AnomaliesOf(row), row.challenge_id()));
    }
    EXPECT_EQ(labels.size(), std::size(kRows));
    if (direction > 0) forward = labels;
    EXPECT_EQ(labels, forward);
  }
}

// tests/testdata/labels/README.md
TEST(LabelsTest, EveryLabelIsReachedByItsTranscript) {
  std::vector<std::string> rows = ReadTestLines("labels/expected.csv");
  rows.erase(rows.begin());
  for (const std::string& row : rows) {
    const std::vector<std::string> want = absl::StrSplit(row, ',');
    SCOPED_TRACE(want[0]);
    Services services;
    const bool is_buyer = want[2] == "buyer";
    services.Create("book", is_buyer ? v1::LEDGER_ROLE_BUYER : v1::LEDGER_ROLE_SELLER);
    const auto imported = services.Import("book", ReadTestLines("labels/" + want[0] + ".jsonl"));
    EXPECT_TRUE(imported.faults.empty()) << imported.faults.front();
    services.clock.now = TimeOf(want[3]);
    absl::StatusOr<v1::Settlement> got;
    if (want[1].empty()) {
      const std::vector<v1::Settlement> listed = services.List({});
      ASSERT_EQ(listed.size(), 1U);
      got = listed.front();
    } else {
      got = services.Get("book", want[1]);
    }
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(LabelOf(*got), want[4]);
    if (!want[5].empty()) {
      EXPECT_EQ(LivenessOf(*got), want[5]);
    }
    EXPECT_EQ(AdviceOf(got->seller_advice()), want[6]);
    EXPECT_EQ(AdviceOf(got->buyer_advice()), want[7]);
    EXPECT_EQ(got->may_pay_again() ? "true" : "false", want[8]);
    EXPECT_EQ(AnomaliesOf(*got), want[9]);
  }
}

}  // namespace
}  // namespace tally::service

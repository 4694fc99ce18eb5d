// `tally show`, `events`, `backup` and `ledger`: the ways to ask, and what scripts get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/acceptance/embedded_book.h"

namespace tally::acceptance {
namespace {

using support::Ended;
using support::ParseJson;
using support::TestData;
using support::TextAt;
using ::testing::HasSubstr;

std::string Throws() {
  return support::ReadFile(TestData("transcripts/recorder-throws.seller.jsonl"));
}

class ShowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(book_.Import(Throws()).code, 0);
    const Ended ended =
        support::RunTally({"id", TestData("demo-payment.json"), "--output", "json"});
    id_ = TextAt(ParseJson(ended.out), {"settlementId"});
    ASSERT_NE(id_, "");
  }

  std::string LabelBy(const std::vector<std::string>& key) const {
    std::vector<std::string> arguments = {"show", "--output", "json"};
    arguments.insert(arguments.end(), key.begin(), key.end());
    const Ended ended = book_.Run(arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return TextAt(ParseJson(ended.out), {"label"});
  }

  const EmbeddedBook book_;
  std::string id_;
};

TEST_F(ShowTest, FindsByEveryKey) {
  const json::Value shown = ParseJson(book_.Run({"show", id_, "--output", "json"}).out);
  const std::string chain_tx = TextAt(shown, {"chainTx"});
  const std::string challenge = TextAt(shown, {"challengeId"});
  ASSERT_NE(chain_tx, "");
  ASSERT_NE(challenge, "");
  EXPECT_EQ(LabelBy({id_}), "PAID_UNDELIVERED");
  EXPECT_EQ(LabelBy({chain_tx}), "PAID_UNDELIVERED");
  EXPECT_EQ(LabelBy({challenge}), "PAID_UNDELIVERED");
  EXPECT_EQ(LabelBy({"--payment", TestData("demo-payment.json")}), "PAID_UNDELIVERED");
  EXPECT_EQ(LabelBy({"--call", "x402-mcp-recorder-throws:16"}), "PAID_UNDELIVERED");
  EXPECT_EQ(book_.Run({"show", "--call", "x402-mcp-recorder-throws:\"16\""}).code, 3);
}

TEST_F(ShowTest, JsonHoldsAxesAnchorsAndTimeline) {
  const Ended ended = book_.Run({"show", id_, "--output", "json"});
  const json::Value shown = ParseJson(ended.out);
  for (const char* axis : {"presentation", "execution", "settlement", "liveness", "delivery"}) {
    ASSERT_NE(shown.Find({"axes", axis}), nullptr) << axis;
    EXPECT_NE(TextAt(shown, {"axes", axis, "value"}), "") << axis;
    for (const char* part : {"kind", "position", "time"}) {
      EXPECT_NE(shown.Find({"axes", axis, "anchor", part}), nullptr) << axis << "." << part;
    }
  }
  EXPECT_EQ(TextAt(shown, {"axes", "settlement", "value"}), "SETTLED");
  EXPECT_EQ(TextAt(shown, {"axes", "settlement", "anchor", "kind"}), "FACILITATOR");
  for (const char* key : {"reason", "retryAfter", "decidableAt", "exposedUntil", "chainLookup",
                          "version", "timeline", "settlementId", "mayPayAgain"}) {
    EXPECT_NE(shown.Find(key), nullptr) << key;
  }
  const json::Array& timeline = *shown.Find("timeline")->array();
  ASSERT_GE(timeline.size(), 6U);
  for (const json::Value& event : timeline) {
    for (const char* key : {"position", "version", "time", "recordedTime", "type", "source",
                            "recorder", "body", "documentSha256"}) {
      EXPECT_NE(event.Find(key), nullptr) << key;
    }
    EXPECT_EQ(TextAt(event, {"source"}), "IMPORT");
    EXPECT_EQ(TextAt(event, {"time"}).size(), std::string("2026-11-30T17:19:50.552000Z").size());
    EXPECT_EQ(event.Find("document"), nullptr);
  }
  EXPECT_THAT(ended.out, ::testing::Not(HasSubstr("signature")));
  EXPECT_THAT(book_.Run({"show", id_, "--raw", "--output", "json"}).out, HasSubstr("signature"));
}

TEST_F(ShowTest, WordsSayTheAnswerFirst) {
  const Ended ended = book_.Run({"show", id_});
  EXPECT_EQ(ended.out.rfind("PAID_UNDELIVERED  " + id_, 0), 0U) << ended.out;
  for (const char* word : {"FETCH_RESULT", "SEND_AGAIN", "may pay again", "0.01 USDC (10000)",
                           "FACILITATOR", "SettlementAnswered", "ANSWER_EXTRACTABLE_AS_PAYABLE"}) {
    EXPECT_THAT(ended.out, HasSubstr(word));
  }
  EXPECT_THAT(ended.out, ::testing::Not(HasSubstr("\x1b")));
}

TEST_F(ShowTest, AsOfGoesBack) {
  const auto label_at = [&](const char* time) { return LabelBy({id_, "--as-of", time}); };
  EXPECT_EQ(label_at("2026-11-30T17:19:50.555Z"), "PRESENTED");
  EXPECT_EQ(label_at("2026-11-30T17:19:50.559Z"), "RAN_OPEN");
  EXPECT_EQ(book_.Run({"show", id_, "--known-at", "2026-11-30T00:00:00Z"}).code, 3);
}

TEST_F(ShowTest, NotRecordedIsThree) {
  const Ended ended = book_.Run({"show", "sha256:" + std::string(64, '0')});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("tally: nothing is recorded under sha256:0000"));
}

TEST_F(ShowTest, AmbiguousAliasListsItsHits) {
  // The same chain tx in two settlements: one hash can hold many payments.
  const std::string settled = support::ReadFile(TestData("transcripts/settled.seller.jsonl"));
  const std::string own = "0xe9cfbbb1dff2095afcc55c3cf9a2c7855a8baf57e0361e726c5c5e597b89ef8b";
  const std::string chain_tx =
      TextAt(ParseJson(book_.Run({"show", id_, "--output", "json"}).out), {"chainTx"});
  ASSERT_EQ(book_.Import(absl::StrReplaceAll(settled, {{own, chain_tx}})).code, 0);
  const Ended ended = book_.Run({"show", chain_tx});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.out, HasSubstr(id_ + "\n"));
  EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 2);
  const json::Value json = ParseJson(book_.Run({"show", chain_tx, "--output", "json"}).out);
  EXPECT_EQ(json.Find("hits")->array()->size(), 2U);
}

TEST_F(ShowTest, EventsArePagedByPosition) {
  const json::Value all = ParseJson(book_.Run({"events", "--output", "json"}).out);
  const std::size_t count = all.array()->size();
  ASSERT_GT(count, 5U);
  const json::Value some =
      ParseJson(book_.Run({"events", "--after", "2", "--limit", "3", "--output", "json"}).out);
  ASSERT_EQ(some.array()->size(), 3U);
  EXPECT_EQ(some.array()->front().Find("position")->number()->AsInteger(), 3);
  const Ended table = book_.Run({"events"});
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.out.begin(), table.out.end(), '\n')), count);
}

TEST_F(ShowTest, BackupIsWholeAndCanBeRead) {
  const std::string copy = book_.folder() + "/copy.db";
  const Ended ended = book_.Run({"backup", copy});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("read back"));
  EXPECT_EQ(support::RunTally({"rebuild", "--database", copy}).code, 0);
  EXPECT_EQ(support::RunTally({"events", "--database", copy, "--output", "json"}).out,
            book_.Run({"events", "--output", "json"}).out);
  EXPECT_NE(book_.Run({"backup", copy}).code, 0) << "a file that is there is refused";
}

TEST_F(ShowTest, ListFiltersAndPrintsCsv) {
  ASSERT_EQ(book_
                .Run({"import", TestData("transcripts/settle-false.seller.jsonl"),
                      TestData("transcripts/settled.seller.jsonl")})
                .code,
            0);
  const auto labels = [&](std::vector<std::string> filter) {
    filter.insert(filter.begin(), {"list", "--output", "csv"});
    const Ended ended = book_.Run(filter);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return ended.out;
  };
  const auto rows = [](const std::string& csv) {
    return std::count(csv.begin(), csv.end(), '\n') - 1;
  };
  EXPECT_EQ(rows(labels({})), 3);
  EXPECT_EQ(rows(labels({"--label", "PAID", "--label", "ran-unpaid"})), 2);
  EXPECT_EQ(rows(labels({"--view", "ran-not-known-paid"})), 1);
  EXPECT_EQ(rows(labels({"--view", "RAN_NOT_KNOWN_PAID"})), 1);
  EXPECT_EQ(rows(labels({"--tool", "nothing-of-the-kind"})), 0);
  EXPECT_EQ(rows(labels({"--limit", "2"})), 2);
  EXPECT_EQ(labels({}).rfind("settlementId,challengeId,purchaseId,label,", 0), 0U);
  const Ended table = book_.Run({"list", "--view", "ran-not-known-paid"});
  EXPECT_THAT(table.out, HasSubstr("UNPAID"));
  EXPECT_THAT(table.out, HasSubstr("0.01 USDC (10000)"));
}

TEST(LedgerTest, TheSameAgainIsFineAndSaysSo) {
  const EmbeddedBook book;
  const Ended again = book.Run({"ledger", "create", "book", "--role", "seller"});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("was there before"));
  const Ended other = book.Run({"ledger", "create", "book", "--role", "buyer"});
  EXPECT_EQ(other.code, 4);
  EXPECT_EQ(book.Run({"ledger", "create", "second", "--role", "buyer", "--endpoint",
                      "stdio:=https://tools.example/mcp"})
                .code,
            0);
  const json::Value ledgers = ParseJson(book.Run({"ledger", "list", "--output", "json"}).out);
  ASSERT_EQ(ledgers.array()->size(), 2U);
  EXPECT_EQ(TextAt(ledgers.array()->back(), {"endpointNames", "stdio:"}),
            "https://tools.example/mcp");
  EXPECT_EQ(book.Run({"list"}).code, 2) << "two ledgers, none named";
}

}  // namespace
}  // namespace tally::acceptance

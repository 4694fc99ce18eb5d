// What the captured exchanges read as: the eighteen readings, embedded and through a server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/server/tallyd_process.h"
#include "tests/support/program.h"

namespace tally {
namespace {

using support::Ended;
using support::ParseJson;
using support::RunTally;
using support::TestData;
using support::TextAt;

struct Reading {
  std::string exchange;
  std::string seller;
  std::string liveness;  // just after the exchange
  std::string anomalies;
  std::string buyer;
  bool has_chain_tx;  // of what the seller knows
};

std::vector<Reading> Readings() {
  return {
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
}

// Before the first authorization lapses, after the last exchange.
constexpr char kJustAfter[] = "2026-11-30T17:20:00Z";

using Arguments = std::vector<std::string>;

Arguments Plus(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// Ledgers of both sides behind a file or a server.
class ReadingsTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const std::string database = support::NewFolder() + "/ledgers.db";
    if (GetParam()) {
      server_ = std::make_unique<server::Tallyd>(database);
      ASSERT_FALSE(server_->address().empty());
      target_ = {"--server", server_->address()};
    } else {
      target_ = {"--database", database};
    }
    for (const std::string side : {"seller", "buyer"}) {
      const Ended made = Run({"ledger", "create", side, "--role", side});
      ASSERT_EQ(made.code, 0) << made.err;
    }
  }

  Ended Run(const Arguments& arguments) const { return RunTally(Plus(arguments, target_)); }

  Ended Import(const std::string& side, const Arguments& files) const {
    return Run(Plus({"import", "--ledger", side}, files));
  }

  // Settlement id → row of `tally list`.
  std::map<std::string, json::Value> List(const std::string& side) const {
    const Ended listed = Run({"list", "--ledger", side, "--output", "json", "--as-of", kJustAfter});
    EXPECT_EQ(listed.code, 0) << listed.err;
    const json::Value rows = ParseJson(listed.out);
    std::map<std::string, json::Value> by_id;
    if (rows.array() == nullptr) return by_id;
    for (const json::Value& row : *rows.array()) by_id[TextAt(row, {"settlementId"})] = row;
    EXPECT_EQ(by_id.size(), rows.array()->size()) << listed.out;
    return by_id;
  }

  std::unique_ptr<server::Tallyd> server_;
  Arguments target_;
};

INSTANTIATE_TEST_SUITE_P(BothWays, ReadingsTest, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "Server" : "Embedded"; });

// The id that `tally id` derives from the paid call in the transcript.
std::string IdOf(const std::string& exchange, const std::string& side) {
  std::istringstream lines(
      support::ReadFile(TestData(absl::StrCat("transcripts/", exchange, ".", side, ".jsonl"))));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"x402/payment\"") == std::string::npos) continue;
    const Ended ended = RunTally({"id", "-", "--output", "json"}, line);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return TextAt(ParseJson(ended.out), {"settlementId"});
  }
  return "";
}

std::string AnomaliesOf(const json::Value& row) {
  std::vector<std::string> words;
  for (const json::Value& word : *row.Find("anomalies")->array()) words.push_back(*word.string());
  return absl::StrJoin(words, " ");
}

TEST_P(ReadingsTest, EveryExchangeReadsAsItShould) {
  for (const std::string side : {"seller", "buyer"}) {
    const Ended imported = Import(side, support::Transcripts(side));
    ASSERT_EQ(imported.code, 0) << imported.err << imported.out;
  }
  const std::map<std::string, json::Value> seller = List("seller");
  const std::map<std::string, json::Value> buyer = List("buyer");
  EXPECT_EQ(seller.size(), 9U);
  EXPECT_EQ(buyer.size(), 9U);
  for (const Reading& reading : Readings()) {
    SCOPED_TRACE(reading.exchange);
    const std::string id = IdOf(reading.exchange, "seller");
    EXPECT_EQ(id, IdOf(reading.exchange, "buyer"));
    ASSERT_EQ(seller.count(id), 1U) << id;
    ASSERT_EQ(buyer.count(id), 1U) << id;
    const json::Value& sold = seller.at(id);
    const json::Value& bought = buyer.at(id);
    EXPECT_EQ(TextAt(sold, {"label"}), reading.seller);
    EXPECT_EQ(TextAt(bought, {"label"}), reading.buyer);
    EXPECT_EQ(TextAt(sold, {"liveness"}), reading.liveness);
    EXPECT_EQ(AnomaliesOf(sold), reading.anomalies);
    EXPECT_EQ(!TextAt(sold, {"chainTx"}).empty(), reading.has_chain_tx);
    for (const json::Value* row : {&sold, &bought}) {
      ASSERT_NE(row->Find("mayPayAgain")->boolean(), nullptr);
      EXPECT_FALSE(*row->Find("mayPayAgain")->boolean());
    }
  }
}

TEST_P(ReadingsTest, PendingKeepsItsChainTxOnTheBuyersSide) {
  ASSERT_EQ(Import("buyer", support::Transcripts("buyer")).code, 0);
  const std::map<std::string, json::Value> rows = List("buyer");
  EXPECT_EQ(TextAt(rows.at(IdOf("pending", "buyer")), {"chainTx"}),
            "0x5a647dfaa9a1e933c419e19ad0b445a00cba15e1e37c57e48a51d66f47988830");
}

TEST_P(ReadingsTest, ImportingTwiceAddsNothingAndSaysSo) {
  const Arguments files = support::Transcripts("seller");
  ASSERT_EQ(Import("seller", files).code, 0);
  const std::string events = Run({"events", "--ledger", "seller", "--output", "json"}).out;
  const Ended again = Import("seller", files);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, ::testing::HasSubstr("nothing new"));
  EXPECT_THAT(again.out, ::testing::HasSubstr(" 0 events recorded"));
  EXPECT_EQ(Run({"events", "--ledger", "seller", "--output", "json"}).out, events);
}

TEST_P(ReadingsTest, AnyOrderOfFilesEndsInTheSameList) {
  Arguments files = support::Transcripts("seller");
  ASSERT_EQ(Import("seller", files).code, 0);
  const std::string list =
      Run({"list", "--ledger", "seller", "--output", "json", "--as-of", kJustAfter}).out;
  for (int round = 0; round < 3; ++round) {
    std::rotate(files.begin(), files.begin() + 2 + round, files.end());
    std::swap(files[1], files[7]);
    const std::string ledger = absl::StrCat("shuffled-", round);
    ASSERT_EQ(Run({"ledger", "create", ledger, "--role", "seller"}).code, 0);
    ASSERT_EQ(Import(ledger, files).code, 0);
    EXPECT_EQ(Run({"list", "--ledger", ledger, "--output", "json", "--as-of", kJustAfter}).out,
              list);
  }
}

TEST_P(ReadingsTest, ListRowsAlwaysHaveAllKeys) {
  Arguments files = support::Transcripts("seller");
  files.push_back(TestData("labels/challenged.jsonl"));
  files.push_back(TestData("labels/hostile-unreadable.jsonl"));
  ASSERT_EQ(Import("seller", files).code, 0);
  const Ended listed = Run({"list", "--ledger", "seller", "--output", "json"});
  const json::Value rows = ParseJson(listed.out);
  ASSERT_NE(rows.array(), nullptr);
  ASSERT_GT(rows.array()->size(), 10U);
  const std::vector<std::string> keys = {
      "settlementId", "challengeId",  "purchaseId", "label",    "liveness", "advice",
      "mayPayAgain",  "mayCallAgain", "anomalies",  "resource", "amount",   "asset",
      "network",      "payer",        "payTo",      "chainTx",  "call"};
  for (const json::Value& row : *rows.array()) {
    std::vector<std::string> seen;
    for (const auto& [key, value] : *row.object()) seen.push_back(key);
    EXPECT_EQ(seen, keys);
    const bool is_challenge = TextAt(row, {"label"}) == "CHALLENGED";
    EXPECT_EQ(row.Find("liveness")->is_null(), is_challenge);
    const bool has_id = !is_challenge && !TextAt(row, {"settlementId"}).empty();
    EXPECT_EQ(row.Find("call")->is_null(), is_challenge || has_id);
  }
}

}  // namespace
}  // namespace tally

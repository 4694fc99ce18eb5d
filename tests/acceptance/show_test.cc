// `tally show`, `events`, `backup` and `ledger`: the ways to ask, and what scripts get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

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

TEST_F(ShowTest, BodiesHaveAllKeysToo) {
  const json::Value events = ParseJson(book_.Run({"events", "--output", "json"}).out);
  std::map<std::string, std::vector<std::string>> keys;
  for (const json::Value& event : *events.array()) {
    std::vector<std::string> seen;
    for (const auto& [key, value] : *event.Find("body")->object()) seen.push_back(key);
    const auto [known, is_first] = keys.try_emplace(TextAt(event, {"type"}), seen);
    EXPECT_EQ(known->second, seen) << known->first;
  }
  EXPECT_THAT(keys["ChallengeIssued"], ::testing::Contains("argumentsSha256"));
  const json::Value& presented = events.array()->at(1);
  ASSERT_EQ(TextAt(presented, {"type"}), "PaymentPresented");
  EXPECT_TRUE(presented.Find({"body", "unreadableReason"})->is_null());
  EXPECT_EQ(presented.Find({"body", "duplicateKeys"})->array()->size(), 0U);
}

TEST_F(ShowTest, TimelineShowsVersionsAndWhatAResolutionCloses) {
  ASSERT_EQ(book_
                .Import(absl::StrCat(
                    R"({"v":1,"time":"2026-12-01T00:00:00Z","kind":"resolution","settlement_id":")",
                    id_, R"(","resolution":"refunded","reason":"asked","closes_version":7})"))
                .code,
            0);
  const Ended shown = book_.Run({"show", id_});
  EXPECT_THAT(shown.out, HasSubstr("  EVENT  VERSION  TIME "));
  EXPECT_THAT(shown.out, ::testing::ContainsRegex("\n  #9 +8 .*SettlementResolved"));
  EXPECT_THAT(shown.out, HasSubstr("REFUNDED, asked, closes version 7"));
  EXPECT_THAT(shown.out, HasSubstr("SettlementRequested"));
  EXPECT_THAT(shown.out, HasSubstr("exchange x"));
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
  const Ended early = book_.Run({"show", id_, "--known-at", "2026-11-30T00:00:00Z"});
  EXPECT_EQ(early.code, 3);
  EXPECT_THAT(early.err, HasSubstr("recorded up to 2026-11-30T00:00:00.000000Z"));
  EXPECT_THAT(early.err, ::testing::Not(HasSubstr("whether all files were imported")));
}

TEST_F(ShowTest, UnreadablePaymentIsFoundByWhatItsRowSays) {
  ASSERT_EQ(book_.Run({"import", TestData("labels/hostile-unreadable.jsonl")}).code, 0);
  const json::Value rows = ParseJson(book_.Run({"list", "--output", "json"}).out);
  std::size_t found = 0;
  for (const json::Value& row : *rows.array()) {
    const std::string call = TextAt(row, {"call"});
    if (call.empty()) continue;
    ++found;
    EXPECT_EQ(TextAt(row, {"settlementId"}), "");
    EXPECT_EQ(LabelBy({"--call", call}), TextAt(row, {"label"})) << call;
    EXPECT_THAT(book_.Run({"list", "--output", "csv"}).out, HasSubstr("," + call + "\n"));
  }
  EXPECT_EQ(found, 1U);
}

// The call of a facilitator's request has a colon inside its id.
TEST_F(ShowTest, CallIsSplitWhereItsIdBegins) {
  const std::string line =
      R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"a:b","kind":"facilitator-request",)"
      R"("exchange":"x:1","path":"/settle","body":{"paymentPayload":{}}})";
  ASSERT_EQ(book_.Import(line + "\n").code, 0);
  const json::Value rows = ParseJson(book_.Run({"list", "--output", "json"}).out);
  const std::string call = TextAt(rows.array()->back(), {"call"});
  EXPECT_EQ(call, R"(a:b:"exchange:x:1")");
  EXPECT_EQ(book_.Run({"show", "--call", call}).code, 0);
  EXPECT_THAT(book_.Run({"list"}).out, HasSubstr(R"(--call 'a:b:"exchange:x:1"')"));
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

TEST_F(ShowTest, SumsOfAViewComeInEveryForm) {
  ASSERT_EQ(book_
                .Run({"import", TestData("transcripts/settle-false.seller.jsonl"),
                      TestData("transcripts/pending.seller.jsonl")})
                .code,
            0);
  const std::vector<std::string> view = {"list", "--view", "ran-not-known-paid", "--output"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), view.begin(), view.end());
    return book_.Run(more);
  };
  const json::Value sums = ParseJson(run({"json", "--sums"}).out);
  ASSERT_NE(sums.array(), nullptr);
  ASSERT_EQ(sums.array()->size(), 2U);
  const json::Value& sum = sums.array()->front();
  EXPECT_EQ(TextAt(sum, {"bucket"}), "UNPAID");
  EXPECT_EQ(TextAt(sum, {"amount"}), "10000");
  EXPECT_EQ(TextAt(sum, {"network"}), "eip155:84532");
  EXPECT_EQ(sum.Find("count")->number()->AsInteger(), 1);
  EXPECT_EQ(sum.Find("amountUnknownCount")->number()->AsInteger(), 0);
  EXPECT_THAT(run({"csv", "--sums"}).out,
              HasSubstr("bucket,count,amount,amountUnknownCount,asset,network\nUNPAID,1,10000,0,"));
  EXPECT_THAT(run({"table", "--sums"}).out, HasSubstr("0.01 USDC (10000)"));
  EXPECT_EQ(ParseJson(run({"json"}).out).array()->size(), 2U) << "the rows alone";
  EXPECT_EQ(ParseJson(run({"json", "--sums", "--tool", "none"}).out).array()->size(), 0U);
}

// What a buyer puts into a tool's name must not steer who looks at it.
TEST_F(ShowTest, HostileTextIsHarmlessInTablesAndCsv) {
  const auto import_call = [&](const char* name, int id) {
    const std::string line = absl::StrCat(
        R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"h","kind":"mcp","dir":"client-to-server",)",
        R"("message":{"jsonrpc":"2.0","id":)", id, R"(,"method":"tools/call","params":{"name":")",
        name, R"(","_meta":{"x402/payment":7}}}})");
    EXPECT_EQ(book_.Import(line + "\n").code, 0);
  };
  import_call(R"(a\u202eb\u001b[2Jc)", 1);
  import_call("=1+2,x", 2);
  for (const char* form : {"table", "csv"}) {
    const Ended listed = book_.Run({"list", "--output", form});
    EXPECT_THAT(listed.out, ::testing::Not(HasSubstr("\u202e"))) << form;
    EXPECT_THAT(listed.out, ::testing::Not(HasSubstr("\x1b"))) << form;
    EXPECT_THAT(listed.out, HasSubstr(R"(a\u202eb\x1b[2Jc)")) << form;
  }
  EXPECT_THAT(book_.Run({"list", "--output", "csv"}).out, HasSubstr(",\"'=1+2,x\","));
  EXPECT_THAT(book_.Run({"list", "--output", "json"}).out, HasSubstr("a\u202eb\\u001b[2Jc"));
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

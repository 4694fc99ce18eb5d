// Published and captured vectors through `tally import`: what a settle answer lets one conclude,
// and which answers a shipped client would pay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "tests/acceptance/embedded_book.h"
#include "tests/acceptance/in_process.h"

namespace tally::acceptance {
namespace {

using support::ParseJson;
using support::TestData;
using support::TextAt;

json::Array Rows(const std::string& file) {
  return *ParseJson(support::ReadFile(TestData(file))).array();
}

// A captured exchange up to and without its last `dropped` lines, in session `v-NUMBER` and with a
// payment of its own.
std::string Exchange(const std::string& name, std::size_t dropped, std::size_t number) {
  std::vector<std::string> lines = LinesOf(TestData(absl::StrCat("transcripts/", name, ".jsonl")));
  const json::Value paid = ParseJson(lines[3]);
  const std::string nonce = TextAt(
      paid, {"message", "params", "_meta", "x402/payment", "payload", "authorization", "nonce"});
  const std::string session = TextAt(paid, {"session"});
  EXPECT_NE(nonce, "");
  lines.resize(lines.size() - dropped);
  std::string text;
  for (const std::string& line : lines) {
    absl::StrAppend(&text,
                    absl::StrReplaceAll(line, {{nonce, absl::StrFormat("0x%064x", number + 1)},
                                               {absl::StrCat("\"", session, "\""),
                                                absl::StrCat("\"v-", number, "\"")}}),
                    "\n");
  }
  return text;
}

// A line that was seen in session `v-NUMBER` after all of these exchanges.
std::string Line(std::size_t number, const std::string& members) {
  return absl::StrCat(R"({"v":1,"time":"2026-11-30T17:19:51Z","session":"v-)", number, "\",",
                      members, "}\n");
}

// The body of the event of that type in each session.
std::map<std::string, json::Value> BodiesOf(const EmbeddedBook& book, const std::string& type) {
  std::map<std::string, json::Value> bodies;
  const json::Value events = ParseJson(book.Run({"events", "--output", "json"}).out);
  for (const json::Value& event : *events.array()) {
    if (TextAt(event, {"type"}) != type) continue;
    const json::Value& body = *event.Find("body");
    const std::string session = TextAt(body, {"session"});
    bodies[session.empty() ? TextAt(body, {"call", "session"}) : session] = body;
  }
  return bodies;
}

json::Array ItemsAt(const json::Value& value, absl::string_view key) {
  const json::Value* found = value.Find(key);
  return found == nullptr || found->array() == nullptr ? json::Array() : *found->array();
}

std::vector<std::string> TextsAt(const json::Value& value, absl::string_view key) {
  std::vector<std::string> texts;
  for (const json::Value& text : ItemsAt(value, key)) texts.push_back(*text.string());
  return texts;
}

void ExpectReading(const json::Value& reading, const json::Value& vector) {
  const std::string outcome = absl::AsciiStrToLower(TextAt(reading, {"outcome"}));
  EXPECT_EQ(outcome, TextAt(vector, {"expect_outcome"}));
  EXPECT_EQ(TextsAt(reading, "failedChecks"), TextsAt(vector, "expect_failed"));
  EXPECT_THAT(TextsAt(vector, "must_not_conclude"), ::testing::Not(::testing::Contains(outcome)));
}

TEST(VectorsTest, SettleAnswersOfAFacilitator) {
  const json::Array vectors = Rows("settlement-response-readings.json");
  std::string text;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const json::Value* decoded = vectors[i].Find("decoded");
    const bool is_json = decoded != nullptr && !decoded->is_null();
    const std::string body = is_json ? json::Write(*decoded) : "\"<html>Bad Gateway</html>\"";
    absl::StrAppend(
        &text, Exchange("settled.seller", 2, i),
        Line(i, absl::StrCat(R"("kind":"facilitator-answer","exchange":"x2","status":200,"body":)",
                             body)));
  }
  const EmbeddedBook book;
  const support::Ended imported = book.Import(text);
  ASSERT_EQ(imported.code, 0) << imported.err;
  const std::map<std::string, json::Value> bodies = BodiesOf(book, "SettlementAnswered");
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    SCOPED_TRACE(TextAt(vectors[i], {"name"}));
    const auto body = bodies.find(absl::StrCat("v-", i));
    ASSERT_NE(body, bodies.end());
    ExpectReading(*body->second.Find("reading"), vectors[i]);
    // No more is concluded in the end than the answer says.
    const support::Ended shown =
        book.Run({"show", "--call", absl::StrCat("v-", i, ":2"), "--output", "json"});
    const std::string state = TextAt(ParseJson(shown.out), {"axes", "settlement", "value"});
    const std::string outcome = TextAt(vectors[i], {"expect_outcome"});
    EXPECT_EQ(state, outcome == "settled" ? "SETTLED" : outcome == "failed" ? "FAILED" : "OPEN");
  }
}

TEST(VectorsTest, ReceiptsInAnAnswer) {
  const json::Array vectors = Rows("settlement-response-readings.json");
  std::string text;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const json::Value* decoded = vectors[i].Find("decoded");
    const bool is_json = decoded != nullptr && !decoded->is_null();
    absl::StrAppend(
        &text, Exchange("settled.buyer", 2, i),
        Line(i, absl::StrCat(R"("kind":"mcp","endpoint":"https://tools.example/mcp",)",
                             R"("dir":"server-to-client","message":{"jsonrpc":"2.0","id":2,)",
                             R"("result":{"content":[{"type":"text","text":"49"}],"_meta":{)",
                             R"("x402/payment-response":)",
                             is_json ? json::Write(*decoded) : "\"nonsense\"", "}}}")));
  }
  const EmbeddedBook book("buyer");
  const support::Ended imported = book.Import(text);
  ASSERT_EQ(imported.code, 0) << imported.err;
  const std::map<std::string, json::Value> bodies = BodiesOf(book, "ResponseDelivered");
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    SCOPED_TRACE(TextAt(vectors[i], {"name"}));
    const auto body = bodies.find(absl::StrCat("v-", i));
    ASSERT_NE(body, bodies.end());
    ASSERT_NE(body->second.Find("receipt"), nullptr);
    ExpectReading(*body->second.Find("receipt"), vectors[i]);
  }
}

TEST(VectorsTest, AnswersThatAShippedClientWouldPay) {
  const json::Array rows = Rows("schema-truth-table.json");
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string value = json::Write(*rows[i].Find("value"));
    absl::StrAppend(&text, Exchange("refused.seller", 1, i),
                    Line(i, absl::StrCat(R"("kind":"mcp","endpoint":"https://tools.example/mcp",)",
                                         R"("dir":"server-to-client","message":{"jsonrpc":"2.0",)",
                                         R"("id":4,"result":{"isError":true,"structuredContent":)",
                                         value, R"(,"content":[{"type":"text","text":)",
                                         json::Write(json::Text(value)), "}]}}")));
  }
  const EmbeddedBook book;
  const support::Ended imported = book.Import(text);
  ASSERT_EQ(imported.code, 0) << imported.err;
  const std::map<std::string, json::Value> bodies = BodiesOf(book, "ResponseDelivered");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(TextAt(rows[i], {"name"}));
    const auto body = bodies.find(absl::StrCat("v-", i));
    ASSERT_NE(body, bodies.end());
    const bool is_accepted = *rows[i].Find("accepted")->boolean();
    EXPECT_EQ(TextsAt(body->second, "payableDoors"),
              is_accepted ? (std::vector<std::string>{"structuredContent", "content[0].text"})
                          : std::vector<std::string>{});
    const support::Ended shown =
        book.Run({"show", "--call", absl::StrCat("v-", i, ":4"), "--output", "json"});
    const json::Value answer = ParseJson(shown.out);
    const std::vector<std::string> anomalies = TextsAt(answer, "anomalies");
    EXPECT_EQ(std::count(anomalies.begin(), anomalies.end(), "ANSWER_EXTRACTABLE_AS_PAYABLE"),
              is_accepted ? 1 : 0);
  }
}

}  // namespace
}  // namespace tally::acceptance

// `tally import`: bad lines, torn lines, files of another party, files in pieces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tests/acceptance/embedded_book.h"

namespace tally::acceptance {
namespace {

using support::Ended;
using support::ParseJson;
using support::TestData;
using support::TextAt;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Settled() { return support::ReadFile(TestData("transcripts/settled.seller.jsonl")); }

std::vector<std::string> SettledLines() {
  return absl::StrSplit(Settled(), '\n', absl::SkipEmpty());
}

std::string LabelsOf(const EmbeddedBook& book) {
  const json::Value rows = ParseJson(book.Run({"list", "--output", "json"}).out);
  std::vector<std::string> labels;
  for (const json::Value& row : *rows.array()) labels.push_back(TextAt(row, {"label"}));
  return absl::StrJoin(labels, " ");
}

struct BadLine {
  const char* name;
  std::string line;
  const char* field;
  const char* wanted;
};

std::string Nested(int depth) {
  return absl::StrCat(
      R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"s","kind":"client-report",)",
      R"("tool":"t","report":)", std::string(static_cast<std::size_t>(depth), '['),
      std::string(static_cast<std::size_t>(depth), ']'), "}");
}

std::vector<BadLine> BadLines() {
  const std::string head = R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"s","kind":)";
  return {
      {"NotJson", "nope", "line", "JSON"},
      {"NotAnObject", "[1]", "line", "a JSON object"},
      {"TooDeep", Nested(65), "line", "65"},
      {"InvalidUtf8", head + "\"task\",\"task_id\":\"\xff\",\"status\":\"working\"}", "line", ""},
      {"NoVersion", R"({"time":"2026-12-01T00:00:00Z","session":"s","kind":"task"})", "v", "1"},
      {"NoTime", R"({"v":1,"session":"s","kind":"task"})", "time", "RFC 3339"},
      {"BadTime", R"({"v":1,"time":"yesterday","session":"s","kind":"task"})", "time", "RFC 3339"},
      {"UnknownKind", head + "\"rumour\"}", "kind", "mcp"},
      {"BadDirection", head + R"("mcp","dir":"up","message":{}})", "dir", "client-to-server"},
      {"ChainValueWithExponent",
       head + R"("chain","network":"eip155:84532","event":"transfer","finality":"seen",)" +
           R"("from":"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a","value":"1e6",)" +
           R"("nonce":"0x1c899f8a3ea8582587509964007b9d0aa9e722248d8fffb255ecab305384ac13"})",
       "value", ""},
      {"ChainNetworkWithLeadingZero",
       head + R"("chain","network":"eip155:08453","event":"used","finality":"seen",)" +
           R"("from":"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a",)" +
           R"("nonce":"0x1c899f8a3ea8582587509964007b9d0aa9e722248d8fffb255ecab305384ac13"})",
       "network", ""},
      {"ChainShortAddress",
       head + R"("chain","network":"eip155:8453","event":"used","finality":"seen",)" +
           R"("from":"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2",)" +
           R"("nonce":"0x1c899f8a3ea8582587509964007b9d0aa9e722248d8fffb255ecab305384ac13"})",
       "from", "40 hex digits"},
      {"ChainShortNonce",
       head + R"("chain","network":"eip155:8453","event":"used","finality":"seen",)" +
           R"("from":"0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a",)" +
           R"("nonce":"0x1c899f8a3ea8582587509964007b9d0aa9e722248d8fffb255ecab305384ac"})",
       "nonce", ""},
  };
}

TEST(ImportTest, BadLinesAreNamedAndNothingOfThemIsStored) {
  for (const BadLine& bad : BadLines()) {
    SCOPED_TRACE(bad.name);
    const EmbeddedBook book;
    const Ended ended = book.Import(bad.line + "\n", {"--output", "json"});
    EXPECT_EQ(ended.code, 1) << ended.err;
    const json::Value summary = ParseJson(ended.out);
    ASSERT_NE(summary.Find("bad"), nullptr) << ended.out;
    ASSERT_EQ(summary.Find("bad")->array()->size(), 1U) << ended.out;
    const json::Value& found = summary.Find("bad")->array()->front();
    EXPECT_EQ(TextAt(found, {"field"}), bad.field);
    EXPECT_NE(TextAt(found, {"seen"}), "");
    EXPECT_THAT(TextAt(found, {"wanted"}), HasSubstr(bad.wanted));
    EXPECT_EQ(found.Find("line")->number()->AsInteger(), 1);
    EXPECT_THAT(ended.err, HasSubstr("in.jsonl:1: "));
    EXPECT_EQ(book.EventCount(), 0U);
  }
}

TEST(ImportTest, TheOtherLinesAreRecorded) {
  std::vector<std::string> lines = SettledLines();
  lines.insert(lines.begin() + 5, "nope");
  const EmbeddedBook book;
  const Ended ended = book.Import(absl::StrJoin(lines, "\n") + "\n");
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("in.jsonl:6: "));
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, StrictStopsAtTheFirst) {
  std::vector<std::string> lines = SettledLines();
  lines.insert(lines.begin() + 5, "nope");
  lines.push_back("nope again");
  const EmbeddedBook book;
  const Ended ended = book.Import(absl::StrJoin(lines, "\n") + "\n", {"--strict"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, Not(HasSubstr("in.jsonl:13: ")));
  EXPECT_THAT(ended.out, HasSubstr("stopped there"));
  EXPECT_EQ(book.EventCount(), 2U) << "the challenge and the payment before the bad line";
}

std::int64_t NumberAt(const json::Value& summary, const char* key) {
  const json::Value* value = summary.Find(key);
  EXPECT_NE(value, nullptr) << key;
  return value == nullptr ? 0 : value->number()->AsInteger().value_or(-1);
}

// Every kind of line there is: the summary accounts for each.
TEST(ImportTest, SummaryAddsUp) {
  std::vector<std::string> lines = SettledLines();
  lines.insert(lines.begin() + 5, "nope");
  lines.insert(lines.begin() + 5, "");
  lines.insert(lines.begin() + 2, lines.back());
  lines.push_back(R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"none","kind":"execution",)"
                  R"("event":"started","request_id":9})");
  const EmbeddedBook book;
  const Ended ended =
      book.Import(absl::StrJoin(lines, "\n") + "\n{\"v\":1,\"ti", {"--output", "json"});
  EXPECT_EQ(ended.code, 1) << ended.err;
  const json::Value summary = ParseJson(ended.out);
  EXPECT_EQ(NumberAt(summary, "lines"), 15);
  EXPECT_EQ(NumberAt(summary, "recorderLines"), 1);
  EXPECT_EQ(NumberAt(summary, "leftOut"), 2);
  EXPECT_EQ(NumberAt(summary, "tornLines"), 1);
  EXPECT_EQ(NumberAt(summary, "linesWithEvents") + NumberAt(summary, "recorderLines") +
                NumberAt(summary, "skipped") + NumberAt(summary, "leftOut") +
                NumberAt(summary, "tornLines"),
            NumberAt(summary, "lines"));
  EXPECT_EQ(NumberAt(summary, "recorded"), static_cast<std::int64_t>(book.EventCount()));
  EXPECT_THAT(book.Import(Settled()).out, HasSubstr(", 1 of recorders, "));
}

TEST(ImportTest, LineOfSeventeenMebibytesIsABadLine) {
  const std::string line(std::size_t{17} * 1024 * 1024, 'x');
  const EmbeddedBook book;
  const Ended ended = book.Import(line + "\n" + Settled());
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("in.jsonl:1: line: saw 17825792 bytes, wanted at most 16 MiB"));
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, TornLastLineIsMentionedAndNoError) {
  std::string text = Settled();
  text.resize(text.size() - 40);
  const EmbeddedBook book;
  const Ended ended = book.Import(text);
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("in.jsonl:11: the last line is torn"));
  EXPECT_EQ(LabelsOf(book), "PAID_DELIVERY_UNKNOWN");
  EXPECT_EQ(book.Import(Settled()).code, 0);
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, LastLineWithoutANewlineCounts) {
  std::string text = Settled();
  text.pop_back();
  const EmbeddedBook book;
  EXPECT_EQ(book.Import(text).code, 0);
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, FileOfAnotherPartyIsRefusedWhole) {
  const EmbeddedBook book;
  const Ended ended = book.Run({"import", TestData("transcripts/settled.buyer.jsonl"),
                                TestData("transcripts/refused.seller.jsonl")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("settled.buyer.jsonl:1: file refused: role: saw "));
  EXPECT_EQ(LabelsOf(book), "REFUSED");
}

TEST(ImportTest, LateRecorderLineOfAnotherPartyRefusesTheFileToo) {
  const EmbeddedBook book;
  const Ended ended =
      book.Import(Settled() + support::ReadFile(TestData("transcripts/refused.buyer.jsonl")));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("in.jsonl:12: file refused"));
  EXPECT_EQ(book.EventCount(), 0U);
}

TEST(ImportTest, ReadsStdin) {
  const EmbeddedBook book;
  EXPECT_EQ(book.Run({"import", "-"}, Settled()).code, 0);
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, AnswerInAnEarlierFileThanItsRequestIsRecorded) {
  const std::vector<std::string> lines = SettledLines();
  const std::string folder = support::NewFolder();
  support::WriteFile(folder + "/a.jsonl", absl::StrCat(lines[0], "\n", lines[10], "\n"));
  support::WriteFile(folder + "/b.jsonl",
                     absl::StrJoin(lines.begin(), lines.end() - 1, "\n") + "\n");
  const EmbeddedBook book;
  const Ended ended = book.Run({"import", folder + "/a.jsonl", folder + "/b.jsonl"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(LabelsOf(book), "PAID");
}

TEST(ImportTest, AnswerWithoutItsRequestIsReportedAndNotRecorded) {
  const std::vector<std::string> lines = SettledLines();
  const EmbeddedBook book;
  const Ended ended = book.Import(absl::StrCat(lines[0], "\n", lines[10], "\n"));
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, HasSubstr("in.jsonl:2: not recorded: its request was not seen"));
  EXPECT_EQ(book.EventCount(), 0U);
}

// One line with two frames: a request to a tool, paid, and the rest of its batch.
TEST(ImportTest, BatchIsReadAsItsFrames) {
  std::vector<std::string> lines = SettledLines();
  const std::size_t at = lines[3].find("\"message\":") + 10;
  lines[3].insert(at, R"([{"jsonrpc":"2.0","id":77,"method":"ping"},)");
  lines[3].insert(lines[3].size() - 1, "]");
  const EmbeddedBook book;
  // Its answer first: it is put aside until the request was seen.
  std::swap(lines[3], lines[10]);
  const Ended ended = book.Import(absl::StrJoin(lines, "\n") + "\n");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(LabelsOf(book), "PAID");
}

// What a hostile buyer may send is on file and flagged; no line of it is left out.
TEST(ImportTest, BadCallsWithPaymentsAreRecorded) {
  const std::string head =
      R"({"v":1,"time":"2026-12-01T00:00:00Z","session":"h","kind":"mcp","dir":"client-to-server",)"
      R"("message":{"jsonrpc":"2.0","method":"tools/call",)";
  const EmbeddedBook book;
  const Ended ended = book.Import(absl::StrCat(
      head, R"("id":1,"params":{"_meta":{"x402/payment":{}}}}})", "\n", head,
      R"("id":null,"params":{"name":"t","_meta":{"x402/payment":{}}}}})", "\n", head,
      R"("id":{},"params":{"name":"t","_meta":{"x402/payment":{}}}}})", "\n", head,
      R"("id":2,"params":{"name":"t","arguments":{"n":1e400},"_meta":{"x402/payment":{}}}}})",
      "\n"));
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json::Value rows = ParseJson(book.Run({"list", "--output", "json"}).out);
  ASSERT_EQ(rows.array()->size(), 4U);
  for (const json::Value& row : *rows.array()) {
    EXPECT_EQ(json::Write(*row.Find("anomalies")), R"(["PAYMENT_UNREADABLE"])");
    EXPECT_EQ(book.Run({"show", "--call", TextAt(row, {"call"})}).code, 0);
  }
}

TEST(ImportTest, DuplicateKeysInAFrameAreReadAsJavaScriptDoesAndFlagged) {
  std::vector<std::string> lines = SettledLines();
  // The last of two equal keys counts, so the payment is the same.
  const std::size_t at = lines[3].find("\"x402Version\":2,\"payload\"");
  ASSERT_NE(at, std::string::npos);
  lines[3].insert(at, "\"x402Version\":1,");
  const EmbeddedBook book;
  EXPECT_EQ(book.Import(absl::StrJoin(lines, "\n") + "\n").code, 0);
  const Ended listed = book.Run({"list", "--output", "json"});
  EXPECT_EQ(LabelsOf(book), "PAID");
  EXPECT_THAT(listed.out, HasSubstr("\"DUPLICATE_KEYS\""));
}

}  // namespace
}  // namespace tally::acceptance

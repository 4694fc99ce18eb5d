#include "ledger/observation/transcript.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally::observation {
namespace {

std::string Line(const std::string& rest) {
  return absl::StrCat(R"({"v":1,"time":"2026-11-30T17:19:50.425Z","session":"s1",)", rest, "}");
}

Observation Must(Transcript& transcript, const std::string& line) {
  auto read = transcript.Read(line);
  EXPECT_TRUE(read.ok()) << line << "\n" << read.status();
  if (!read.ok() || !std::holds_alternative<Observation>(*read)) return {};
  return std::get<Observation>(*std::move(read));
}

TEST(TranscriptTest, FrameKeepsItsBytesAndTheirOddities) {
  Transcript transcript;
  const Observation read =
      Must(transcript,
           Line(R"("kind":"mcp","endpoint":"https://tools.example/mcp","dir":"client-to-server",)"
                R"("message": {"id" : 2.0,"id":2, "s":"}\"{" })"));
  const auto& frame = std::get<McpFrame>(read.body);
  EXPECT_EQ(frame.message, R"({"id" : 2.0,"id":2, "s":"}\"{" })");
  EXPECT_EQ(frame.direction, Direction::kClientToServer);
  EXPECT_EQ(frame.endpoint, "https://tools.example/mcp");
  EXPECT_EQ(read.session, "s1");
  EXPECT_EQ(read.source, settlement::SourceKind::kImport);
  EXPECT_TRUE(read.observes.mcp);
}

TEST(TranscriptTest, LastOfTwoMembersCountsAlsoByAnEscapedName) {
  Transcript transcript;
  const Observation read =
      Must(transcript, Line(R"("kind":"mcp","dir":"server-to-client","message":{"a":1},)"
                            R"("mess\u0061ge":{"a":2})"));
  EXPECT_EQ(std::get<McpFrame>(read.body).message, R"({"a":2})");
}

TEST(TranscriptTest, RecorderLineSaysWhatItsSessionObserves) {
  Transcript transcript;
  const auto recorder =
      transcript.Read(Line(R"("kind":"recorder","role":"seller","observes":["mcp","execution"])"));
  ASSERT_TRUE(recorder.ok()) << recorder.status();
  EXPECT_EQ(std::get<RecorderLine>(*recorder).role, settlement::LedgerRole::kSeller);
  const Observation read =
      Must(transcript, Line(R"("kind":"execution","event":"started","request_id":"a","tool":"t")"));
  EXPECT_TRUE(read.observes.mcp);
  EXPECT_TRUE(read.observes.execution);
  EXPECT_FALSE(read.observes.facilitator);
  EXPECT_EQ(std::get<ExecutionMark>(read.body).request_id, R"("a")");
}

TEST(TranscriptTest, IdenticalLinesAreToldApartByTheirOrdinal) {
  const std::string line = Line(R"("kind":"execution","event":"started","request_id":1)");
  const std::string reordered =
      R"({"session":"s1","kind":"execution","event":"started","request_id":1.0,"v":1,)"
      R"("time":"2026-11-30T17:19:50.425Z"})";
  Transcript one;
  const std::string first = Must(one, line).id;
  const std::string second = Must(one, line).id;
  EXPECT_NE(first, second);
  Transcript other;
  EXPECT_EQ(Must(other, reordered).id, first);
  EXPECT_EQ(Must(other, line).id, second);
}

TEST(TranscriptTest, BodyOfAStringIsItsText) {
  Transcript transcript;
  const Observation read =
      Must(transcript,
           Line(R"("kind":"facilitator-answer","exchange":"x1","status":502,"body":"<html>")"));
  EXPECT_EQ(std::get<FacilitatorAnswer>(read.body).body, "<html>");
}

TEST(TranscriptTest, OptionalMembers) {
  Transcript transcript;
  const Observation request =
      Must(transcript, Line(R"("kind":"facilitator-request","exchange":"x","path":"/settle",)"
                            R"("body":{},"phase":"before-handler")"));
  EXPECT_EQ(std::get<FacilitatorRequest>(request.body).phase,
            settlement::SettlementPhase::kBeforeHandler);
  const Observation mark =
      Must(transcript, Line(R"("kind":"execution","event":"finished","request_id":1,)"
                            R"("outcome":"crashed","execution_id":"e","idempotent":true,)"
                            R"("lease_until":"2026-11-30T17:20:00Z")"));
  const auto& execution = std::get<ExecutionMark>(mark.body);
  EXPECT_EQ(execution.outcome, settlement::ExecutionOutcome::kCrashed);
  EXPECT_TRUE(execution.is_tool_idempotent);
  EXPECT_EQ(execution.execution_id, "e");
  EXPECT_TRUE(execution.lease_until.has_value());
  const Observation task =
      Must(transcript, Line(R"("kind":"task","task_id":"t1","request_id":1,"preflight":"other")"));
  EXPECT_EQ(std::get<TaskMark>(task.body).preflight, settlement::PreflightOutcome::kOther);
  const Observation chain =
      Must(transcript, R"({"v":1,"time":"2026-11-30T17:19:50Z","kind":"chain","event":"canceled",)"
                       R"("finality":"finalised","network":"eip155:1","from":"0x0","nonce":"7"})");
  EXPECT_EQ(std::get<ChainReport>(chain.body).fact, settlement::ChainFact::kCancelled);
}

// The line around a frame takes nothing from what the frame may hold.
TEST(TranscriptTest, FrameOfFullDepthIsRead) {
  const std::string frame =
      absl::StrCat("{\"id\":1,\"params\":", std::string(63, '['), std::string(63, ']'), "}");
  Transcript transcript;
  const Observation read = Must(
      transcript, Line(absl::StrCat(R"("kind":"mcp","dir":"client-to-server","message":)", frame)));
  EXPECT_EQ(std::get<McpFrame>(read.body).message, frame);
}

TEST(TranscriptTest, BadLinesNameFieldSeenAndWanted) {
  struct Case {
    std::string line;
    const char* field;
    Reason reason;
  };
  const std::string deep = absl::StrCat("{\"a\":", std::string(65, '['), std::string(65, ']'), "}");
  const Case cases[] = {
      {"", "line", Reason::kFieldMissing},
      {"nonsense", "line", Reason::kDocumentMalformed},
      {"[1]", "line", Reason::kFieldMalformed},
      {"{\"a\":\"\xff\"}", "line", Reason::kDocumentMalformed},
      {deep, "line", Reason::kLimitExceeded},
      {std::string(17U << 20U, ' '), "line", Reason::kLimitExceeded},
      {R"({"v":2,"kind":"mcp"})", "v", Reason::kFieldMalformed},
      {R"({"v":1,"time":"yesterday","kind":"mcp"})", "time", Reason::kFieldMalformed},
      {R"({"v":1,"kind":"mcp"})", "time", Reason::kFieldMissing},
      {R"({"v":1,"time":"2026-11-30T17:19:50Z","kind":"mcp"})", "session", Reason::kFieldMissing},
      {Line(R"("kind":"what")"), "kind", Reason::kFieldMalformed},
      {Line(R"("kind":"mcp","dir":"up","message":{})"), "dir", Reason::kFieldMalformed},
      {Line(R"("kind":"mcp","dir":"client-to-server")"), "message", Reason::kFieldMissing},
      {Line(R"("kind":"execution","event":"finished","request_id":1)"), "outcome",
       Reason::kFieldMissing},
      {Line(R"("kind":"facilitator-answer","exchange":"x")"), "status", Reason::kFieldMissing},
      {Line(R"("kind":"recorder","role":"seller","observes":["all"])"), "observes",
       Reason::kFieldMalformed},
      {Line(R"("kind":"resolution","resolution":"void")"), "reason", Reason::kFieldMissing},
  };
  for (const Case& c : cases) {
    Transcript transcript;
    const auto read = transcript.Read(c.line);
    ASSERT_FALSE(read.ok()) << c.line.substr(0, 80);
    EXPECT_EQ(ReasonOf(read.status()), c.reason) << read.status();
    const std::map<std::string, std::string> metadata = MetadataOf(read.status());
    EXPECT_EQ(metadata.count("seen"), 1U) << read.status();
    EXPECT_EQ(metadata.count("wanted"), 1U) << read.status();
    EXPECT_EQ(metadata.at("field"), c.field) << read.status();
  }
}

}  // namespace
}  // namespace tally::observation

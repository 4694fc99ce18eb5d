#include "ledger/x402/mcp.h"

#include <gmock/gmock.h>

#include "ledger/base/encoding.h"
#include "tests/ledger/x402/documents.h"

namespace tally::x402 {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(FrameTest, KindsAreTold) {
  struct Case {
    const char* frame;
    FrameKind kind;
  };
  constexpr Case kCases[] = {
      {R"({"id":1,"method":"tools/call"})", FrameKind::kToolCall},
      {R"({"method":"tools/call"})", FrameKind::kOther},
      {R"({"id":1,"method":"tools/list"})", FrameKind::kOther},
      {R"({"id":1,"result":{}})", FrameKind::kAnswer},
      {R"({"id":null,"error":{"code":-32700}})", FrameKind::kAnswer},
      {R"({"id":1,"error":null})", FrameKind::kOther},
      {R"({"id":1,"method":7,"result":{}})", FrameKind::kOther},
      {"[]", FrameKind::kOther},
  };
  for (const Case& row : kCases) EXPECT_EQ(KindOf(Json(row.frame)), row.kind) << row.frame;
}

std::string CallWith(absl::string_view meta, absl::string_view arguments = "{}") {
  return absl::StrCat(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"analysis","arguments":)",
      arguments, R"(,"_meta":)", meta, "}}");
}

TEST(ToolCallTest, BothDialectsCarryTheSamePayment) {
  const std::string encoded = Quoted(Base64Encode(kV2Payment));
  const std::string metas[] = {
      absl::StrCat(R"({"x402/payment":)", kV2Payment, "}"),
      absl::StrCat(R"({"x402/payment":)", encoded, "}"),
      absl::StrCat(R"({"x402.payment":)", encoded, "}"),
  };
  for (const std::string& meta : metas) {
    const auto call = ReadToolCall(Json(CallWith(meta)));
    ASSERT_TRUE(call.payment.has_value()) << call.payment_error;
    EXPECT_EQ(ReadPayment(*call.payment)->id.text(),
              "sha256:4dadfba6c0fb8089fd38c5246d5d16d52121bc92cfbe84075dfd8a3d59de0aa5");
    EXPECT_EQ(call.request_id, "2");
    EXPECT_EQ(call.tool, "analysis");
  }
}

TEST(ToolCallTest, PaymentsThatCantBeReadAreSaidToBeThere) {
  const std::string metas[] = {
      R"({"x402/payment":"%%%"})",
      absl::StrCat(R"({"x402/payment":)", Quoted(Base64Encode("not json")), "}"),
      absl::StrCat(R"({"x402/payment":)", Quoted(Base64Encode("[1]")), "}"),
      R"({"x402/payment":7})",
      R"({"x402/payment":[]})",
  };
  for (const std::string& meta : metas) {
    const auto call = ReadToolCall(Json(CallWith(meta)));
    EXPECT_TRUE(call.has_payment()) << meta;
    EXPECT_FALSE(call.payment.has_value()) << meta;
  }
  for (const char* meta : {"{}", "null", R"({"x402/payment":null})", "[]"}) {
    EXPECT_FALSE(ReadToolCall(Json(CallWith(meta))).has_payment()) << meta;
  }
}

TEST(ToolCallTest, DuplicateKeysInsideABase64PaymentAreNamed) {
  const std::string meta =
      absl::StrCat(R"({"x402/payment":)", Quoted(Base64Encode(R"({"a":1,"a":2})")), "}");
  EXPECT_THAT(ReadToolCall(Json(CallWith(meta))).duplicate_keys, ElementsAre("/a"));
}

TEST(ToolCallTest, ArgumentsHaveOneDigestHoweverTheyAreWritten) {
  const auto digest = [](absl::string_view arguments) {
    return ReadToolCall(Json(CallWith("{}", arguments))).arguments_sha256;
  };
  EXPECT_EQ(digest(R"({"a":1,"b":2})"), digest(R"({ "b":2.0, "a":1 })"));
  EXPECT_NE(digest(R"({"a":1})"), digest(R"({"a":2})"));
  const auto absent =
      ReadToolCall(Json(R"({"id":"2","method":"tools/call","params":{"name":"t"}})"));
  EXPECT_EQ(absent.arguments_sha256, digest("{}"));
  EXPECT_EQ(absent.request_id, "\"2\"");
}

TEST(ToolCallTest, PaymentsAmongTheArgumentsAreFlagged) {
  for (const std::string& arguments : {
           std::string(kV2Payment),
           absl::StrCat(R"({"p":)", kV2Payment, "}"),
           absl::StrCat(R"({"p":[{"q":)", kV2Payment, "}]}"),
           std::string(R"({"x402/payment":"abc"})"),
       }) {
    EXPECT_TRUE(ReadToolCall(Json(CallWith("{}", arguments))).has_payment_in_arguments);
  }
  EXPECT_FALSE(ReadToolCall(Json(CallWith("{}", R"({"payload":1})"))).has_payment_in_arguments);
}

TEST(ToolCallTest, ABadCallIsReadForItsPayment) {
  struct Case {
    std::string head;
    const char* request_id;
  };
  const Case kCases[] = {
      {R"("id":1,"method":"tools/call","params":{)", "1"},
      {R"("id":1,"method":"tools/call","params":{"name":7,)", "1"},
      {R"("id":null,"method":"tools/call","params":{)", "null"},
      {R"("id":{ "b":1, "a":2 },"method":"tools/call","params":{)", R"({"a":2,"b":1})"},
      {R"("method":"tools/call","params":{)", "null"},
      {R"("id":1e400,"method":"tools/call","params":{)", "1e400"},
  };
  for (const Case& row : kCases) {
    const ToolCall call = ReadToolCall(
        Json(absl::StrCat("{", row.head, R"("_meta":{"x402/payment":)", kV2Payment, "}}}")));
    EXPECT_EQ(call.request_id, row.request_id) << row.head;
    EXPECT_EQ(call.tool, "") << row.head;
    EXPECT_TRUE(call.payment.has_value()) << row.head;
  }
  EXPECT_FALSE(ReadToolCall(Json(R"({"id":1,"method":"tools/call"})")).has_payment());
}

ToolAnswer AnswerOf(absl::string_view result) {
  const auto answer =
      ReadToolAnswer(Json(absl::StrCat(R"({"jsonrpc":"2.0","id":2,"result":)", result, "}")));
  EXPECT_TRUE(answer.ok()) << answer.status().message();
  return answer.ok() ? *answer : ToolAnswer();
}

// `text` becomes content[0]; structured and meta are JSON.
std::string ErrorResult(absl::string_view structured, absl::string_view text,
                        absl::string_view meta = "null") {
  return absl::StrCat(R"({"isError":true,"structuredContent":)", structured,
                      R"(,"content":[{"type":"text","text":)", Quoted(text), R"(}],"_meta":)", meta,
                      "}");
}

TEST(ToolAnswerTest, EveryPayableDoorIsListed) {
  const std::string meta = absl::StrCat(R"({"x402/error":)", kChallenge, "}");
  const std::string with_accepts = R"({"x402/error":{"accepts":[{}]}})";
  struct Case {
    std::string result;
    std::vector<Door> doors;
  };
  const Case kCases[] = {
      {ErrorResult(kChallenge, kChallenge), {Door::kStructuredContent, Door::kContentText}},
      {ErrorResult("null", kChallenge), {Door::kContentText}},
      {ErrorResult("null", kChallenge, meta), {Door::kContentText, Door::kMetaError}},
      {ErrorResult("null", "no", with_accepts), {Door::kMetaError}},
      {ErrorResult("null", "no", R"({"x402/error":{"accepts":[]}})"), {}},
      {absl::StrCat(R"({"isError":1,"structuredContent":)", kChallenge, "}"),
       {Door::kStructuredContent}},
      {absl::StrCat(R"({"isError":false,"structuredContent":)", kChallenge, "}"), {}},
      // Clients of the specification read content[0] only.
      {absl::StrCat(R"({"isError":true,"content":[{"type":"image"},{"type":"text","text":)",
                    Quoted(kChallenge), "}]}"),
       {}},
      {ErrorResult("null", absl::StrCat("[", kChallenge, "]")), {}},
      {R"({"isError":true,"content":"x"})", {}},
  };
  for (const Case& row : kCases) {
    SCOPED_TRACE(row.result);
    const ToolAnswer answer = AnswerOf(row.result);
    EXPECT_THAT(answer.payable_doors, ElementsAreArray(row.doors));
    EXPECT_EQ(answer.challenge.has_value(), !row.doors.empty());
  }
}

TEST(ToolAnswerTest, DoorsThatDifferAreFlagged) {
  const std::string other = Replaced(kChallenge, "10000", "20000");
  EXPECT_FALSE(AnswerOf(ErrorResult(kChallenge, json::Write(Json(kChallenge)))).doors_disagree);
  EXPECT_TRUE(AnswerOf(ErrorResult(kChallenge, other)).doors_disagree);
  EXPECT_TRUE(AnswerOf(ErrorResult(kChallenge, R"({"accepts":[...]})")).doors_disagree);
  EXPECT_TRUE(AnswerOf(ErrorResult(R"({"a":1})", R"({"a":2})")).doors_disagree);
  EXPECT_FALSE(AnswerOf(ErrorResult(R"({"a":1})", "words")).doors_disagree);
  EXPECT_FALSE(AnswerOf(ErrorResult("null", kChallenge)).doors_disagree);
  EXPECT_FALSE(AnswerOf(absl::StrCat(R"({"isError":true,"structuredContent":)", kChallenge, "}"))
                   .doors_disagree);
}

TEST(ToolAnswerTest, ReceiptsAreReadWhereverTheyStand) {
  const std::string encoded = Quoted(Base64Encode(kSettled));
  const std::string results[] = {
      absl::StrCat(R"({"content":[],"_meta":{"x402/payment-response":)", kSettled, "}}"),
      absl::StrCat(R"({"_meta":{"x402.payment-response":)", encoded, "}}"),
      absl::StrCat(R"({"isError":true,"structuredContent":{"x402/payment-response":)", kSettled,
                   "}}"),
      ErrorResult("null", absl::StrCat(R"({"x402/payment-response":)", kSettled, "}")),
  };
  for (const std::string& result : results) {
    const ToolAnswer answer = AnswerOf(result);
    ASSERT_TRUE(answer.receipt.has_value()) << result;
    EXPECT_EQ(answer.receipt->outcome, SettleOutcome::kSettled);
  }
  const ToolAnswer odd = AnswerOf(R"({"_meta":{"x402/payment-response":7}})");
  ASSERT_TRUE(odd.receipt.has_value());
  EXPECT_EQ(odd.receipt->outcome, SettleOutcome::kUnresolved);
  // What a tool that succeeded puts in its own output is no receipt.
  EXPECT_FALSE(
      AnswerOf(absl::StrCat(R"({"structuredContent":{"x402/payment-response":)", kSettled, "}}"))
          .receipt.has_value());
}

TEST(ToolAnswerTest, TheRestOfAnAnswerIsRead) {
  const ToolAnswer plain = AnswerOf(R"({"content":[{"type":"text","text":"49"}]})");
  EXPECT_TRUE(plain.has_content);
  EXPECT_FALSE(plain.is_error);
  EXPECT_EQ(plain.error_text, "");
  EXPECT_EQ(plain.request_id, "2");
  EXPECT_EQ(AnswerOf(R"({"task":{"taskId":"t-1"}})").task_id, "t-1");
  EXPECT_EQ(AnswerOf(ErrorResult("null", "it broke")).error_text, "it broke");
  EXPECT_EQ(AnswerOf(ErrorResult(kChallenge, kChallenge)).error_text, "Payment required");
  EXPECT_EQ(AnswerOf(ErrorResult("null", std::string(255, 'a') + "é")).error_text,
            std::string(255, 'a'));
  const ToolAnswer bound = AnswerOf(
      absl::StrCat(R"({"resultType":"payment_required","paymentRequired":)", kChallenge, "}"));
  EXPECT_TRUE(bound.challenge.has_value());
  EXPECT_THAT(bound.payable_doors, IsEmpty());
}

TEST(ToolAnswerTest, RpcErrorsAreRead) {
  const auto challenge = ReadToolAnswer(Json(absl::StrCat(
      R"({"id":null,"error":{"code":-32042,"message":"pay","data":{"x402":)", kChallenge, "}}}")));
  ASSERT_TRUE(challenge.ok()) << challenge.status().message();
  EXPECT_TRUE(challenge->is_rpc_error);
  EXPECT_EQ(challenge->request_id, "null");
  EXPECT_EQ(challenge->error_text, "pay");
  EXPECT_TRUE(challenge->challenge.has_value());
  const auto other = ReadToolAnswer(
      Json(R"({"id":1,"error":{"code":-32042,"message":"x","data":{"challenges":[]}}})"));
  EXPECT_FALSE(other->challenge.has_value());
  EXPECT_EQ(ReadToolAnswer(Json(R"({"id":null,"result":{}})"))->request_id, "null");
  EXPECT_EQ(ReadToolAnswer(Json(R"({"result":{}})"))->request_id, "null");
  EXPECT_FALSE(ReadToolAnswer(Json(R"({"id":1})")).ok());
}

}  // namespace
}  // namespace tally::x402

#include "ledger/observation/read.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "tests/ledger/observation/frames.h"

namespace tally::observation {
namespace {

using settlement::SubjectKind;

TEST_F(ReadTest, UnpaidCallIsOnlyRemembered) {
  const auto reading = Up(Call(1, ""));
  ASSERT_TRUE(reading.ok());
  EXPECT_TRUE(reading->events.empty());
  EXPECT_EQ(reading->skipped, kRemembered);
}

TEST_F(ReadTest, ChallengeOfAnUnpaidCall) {
  ASSERT_TRUE(Up(Call(1, "")).ok());
  const auto reading = Down(Challenge(1));
  const auto& body = Body1<settlement::ChallengeIssued>(reading);
  EXPECT_EQ(body.resource, (Resource{"https://e/mcp", "square"}));
  EXPECT_EQ(body.offers.size(), 1U);
  EXPECT_FALSE(body.is_id_minted);
  const settlement::Subject& subject = reading->events.front().subject;
  EXPECT_EQ(subject.kind, SubjectKind::kChallenge);
  EXPECT_EQ(body.purchase_id, "pur_" + subject.key.substr(4));
  EXPECT_EQ(reading->events.front().document->bytes, Challenge(1));
}

TEST_F(ReadTest, MintedChallengeIdAndPaymentIdentifierAreTaken) {
  ASSERT_TRUE(Up(Call(1, "")).ok());
  const auto reading = Down(Challenge(
      1,
      R"(,"extensions":{"tallystick":{"info":{"challengeId":"chl_abcdefghijklmnopqrstuvwxyz"}}})"));
  EXPECT_TRUE(Body1<settlement::ChallengeIssued>(reading).is_id_minted);
  EXPECT_EQ(reading->events.front().subject.key, "chl_abcdefghijklmnopqrstuvwxyz");
}

TEST_F(ReadTest, AnswerToAPaidCallIsNeverAChallenge) {
  const auto paid = Up(PaidCall(2));
  EXPECT_EQ(Body1<settlement::PaymentPresented>(paid).terms->amount, "10000");
  EXPECT_EQ(paid->events.front().subject, (settlement::Subject{SubjectKind::kSettlement, kId}));
  const auto reading = Down(Challenge(2));
  const auto& body = Body1<settlement::ResponseDelivered>(reading);
  EXPECT_EQ(body.payable_doors.size(), 2U);
  EXPECT_FALSE(body.is_content_served);
  EXPECT_EQ(body.error_text, "pay");
  EXPECT_EQ(reading->events.front().subject.key, kId);
}

TEST_F(ReadTest, ContentAfterAPaymentIsServed) {
  ASSERT_TRUE(Up(PaidCall(2)).ok());
  const auto& body = Body1<settlement::ResponseDelivered>(
      Down(R"({"jsonrpc":"2.0","id":2.0,"result":{"content":[{"type":"text","text":"49"}]}})"));
  EXPECT_TRUE(body.is_content_served);
  EXPECT_FALSE(body.receipt.has_value());
}

TEST_F(ReadTest, SameObservationGivesTheSameEvents) {
  const Observation seen = Seen(McpFrame{"https://e/mcp", Direction::kClientToServer, PaidCall(2)});
  Calls fresh;
  const auto first = Read(seen);
  const auto again = observation::Read(seen, fresh);
  EXPECT_EQ(first->events, again->events);
  EXPECT_EQ(first->events.front().event_id.substr(0, 4), "obs_");
}

TEST_F(ReadTest, UnreadablePaymentIsFiledUnderItsCall) {
  const std::string bad =
      absl::StrReplaceAll(PaidCall(3), {{R"("value":"10000")", R"("value":"1e6")"}});
  const auto reading = Up(bad);
  const auto& body = Body1<settlement::PaymentPresented>(reading);
  EXPECT_FALSE(body.terms.has_value());
  EXPECT_NE(body.unreadable_reason.find("1e6"), std::string::npos) << body.unreadable_reason;
  EXPECT_NE(body.unreadable_reason.find("(value_not_canonical_decimal_string)"), std::string::npos)
      << body.unreadable_reason;
  EXPECT_EQ(reading->events.front().subject, (settlement::Subject{SubjectKind::kCall, "s1 3"}));
  EXPECT_EQ(reading->events.front().document->bytes, bad);
  // What is answered to it is filed there too.
  EXPECT_EQ(Down(Challenge(3))->events.front().subject.key, "s1 3");
}

TEST_F(ReadTest, DuplicateKeysAreNamed) {
  const std::string twice =
      absl::StrReplaceAll(PaidCall(3), {{R"("name":"square",)", R"("name":"x","name":"square",)"}});
  const auto reading = Up(twice);
  const auto& body = Body1<settlement::PaymentPresented>(reading);
  ASSERT_EQ(body.duplicate_keys.size(), 1U);
  EXPECT_EQ(body.duplicate_keys.front(), "/params/name");
  EXPECT_EQ(body.resource.tool, "square");
}

TEST_F(ReadTest, V1PaymentTakesItsAssetFromTheChallenge) {
  const std::string v1 = absl::StrCat(
      R"({"x402/payment":{"x402Version":1,"scheme":"exact","network":"base-sepolia","payload":)",
      kAuthorization, "}}");
  EXPECT_NE(
      Body1<settlement::PaymentPresented>(Up(Call(1, v1))).unreadable_reason.find("asset_missing"),
      std::string::npos);
  ASSERT_TRUE(Up(Call(2, "")).ok());
  ASSERT_TRUE(Down(Challenge(2)).ok());
  EXPECT_EQ(Up(Call(3, v1))->events.front().subject.key, kId);
}

TEST_F(ReadTest, AnswerWithoutItsRequestIsNotRecorded) {
  EXPECT_EQ(Down(Challenge(9))->skipped, kRequestNotSeen);
  EXPECT_EQ(Answer("{}")->skipped, kRequestNotSeen);
  EXPECT_EQ(Read(Seen(ExecutionMark{false, "9", "square", {}, "", false, {}}))->skipped,
            kRequestNotSeen);
  EXPECT_EQ(Read(Seen(ClientReport{"square", "{}", ""}))->skipped, kRequestNotSeen);
}

TEST_F(ReadTest, OtherMethodsAreOfNoInterest) {
  EXPECT_EQ(Up(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})")->skipped,
            kNotAboutPayments);
  EXPECT_EQ(Down(R"({"jsonrpc":"2.0","id":0,"result":{}})")->skipped, kNotAboutPayments);
  EXPECT_EQ(Up(R"({"jsonrpc":"2.0","method":"notifications/initialized"})")->skipped,
            kNotAboutPayments);
  EXPECT_EQ(Ask("/supported", "")->skipped, kNotAboutPayments);
  EXPECT_EQ(Answer(R"({"kinds":[]})")->skipped, kNotAboutPayments);
}

TEST_F(ReadTest, VerifyIsRecordedWithItsAnswer) {
  EXPECT_EQ(Ask("/verify", FacilitatorBody(Payment()))->skipped, kRemembered);
  const auto reading = Answer(R"({"isValid":true,"payer":"0xabc"})");
  const auto& body = Body1<settlement::VerificationCompleted>(reading);
  EXPECT_EQ(body.outcome, settlement::VerificationOutcome::kValid);
  EXPECT_EQ(body.facilitator, "https://f.example");
  EXPECT_EQ(reading->events.front().subject.key, kId);
}

TEST_F(ReadTest, SettleIsRecordedWhenItIsAskedFor) {
  const auto asked = Ask("/v2/settle?x=1", FacilitatorBody(Payment()));
  EXPECT_EQ(Body1<settlement::SettlementRequested>(asked).exchange, "x1");
  const auto reading = Answer("<html>", 502);
  const auto& body = Body1<settlement::SettlementAnswered>(reading);
  EXPECT_EQ(body.reading.outcome, settlement::SettleOutcome::kUnresolved);
  EXPECT_EQ(body.http_status, 502);
}

TEST_F(ReadTest, DroppedSocketIsAnAnswerOfItsOwn) {
  ASSERT_TRUE(Ask("/settle", FacilitatorBody(Payment())).ok());
  const auto reading = Read(Seen(FacilitatorAnswer{"x1", 0, "", "closed"}));
  const auto& body = Body1<settlement::SettlementAnswered>(reading);
  EXPECT_EQ(body.transport_error, "closed");
  EXPECT_EQ(body.reading.outcome, settlement::SettleOutcome::kUnresolved);
}

TEST_F(ReadTest, UnreadablePaymentAtTheFacilitatorHasACallOfItsOwn) {
  const auto reading = Ask("/settle", FacilitatorBody("{}"));
  ASSERT_EQ(reading->events.size(), 2U);
  for (const settlement::Event& event : reading->events) {
    EXPECT_EQ(event.subject.key, "s1 \"exchange:x1\"");
  }
  EXPECT_FALSE(Ask("/settle", "no JSON").ok());
}

TEST_F(ReadTest, ExecutionIsFiledUnderThePaymentOfItsCall) {
  ASSERT_TRUE(Up(Call(1, "")).ok());
  ASSERT_TRUE(Up(PaidCall(2)).ok());
  EXPECT_EQ(Read(Seen(ExecutionMark{false, "1", "square", {}, "", false, {}}))->skipped,
            kNoPayment);
  const auto reading = Read(Seen(ExecutionMark{
      true, "2.0", "square", settlement::ExecutionOutcome::kSucceeded, "exe", true, {}}));
  const auto& body = Body1<settlement::ExecutionFinished>(reading);
  EXPECT_EQ(body.call.request_id, "2");
  EXPECT_EQ(body.execution_id, "exe");
  EXPECT_EQ(reading->events.front().subject.key, kId);
}

TEST_F(ReadTest, ReportBelongsToTheLatestPaidCallBeforeIt) {
  ASSERT_TRUE(Up(PaidCall(2), 1).ok());
  ASSERT_TRUE(Up(PaidCall(3), 5).ok());
  const auto reading = Read(
      Seen(ClientReport{"square", R"({"isError":true,"paymentMade":true,"receipt":null})", ""}, 4));
  const auto& body = Body1<settlement::PurchaseBooked>(reading);
  EXPECT_EQ(body.call.request_id, "2");
  EXPECT_EQ(body.payment_made, true);
  EXPECT_FALSE(body.receipt.has_value());
}

TEST_F(ReadTest, TaskResultIsTheAnswerToItsCall) {
  ASSERT_TRUE(Up(Call(1, "")).ok());
  EXPECT_EQ(Down(R"({"id":1,"result":{"task":{"taskId":"t1","status":"completed"}}})")->skipped,
            kNoPayment);
  ASSERT_TRUE(Up(R"({"id":2,"method":"tasks/result","params":{"taskId":"t1"}})").ok());
  const auto reading = Down(Challenge(2));
  EXPECT_EQ(Body1<settlement::ChallengeIssued>(reading).call.request_id, "1");
  const auto preflight =
      Read(Seen(TaskMark{"1", "t1", "", settlement::PreflightOutcome::kPaymentRequired}));
  Body1<settlement::PreflightResolved>(preflight);
  EXPECT_EQ(preflight->events.front().subject.key, "s1 1");
}

TEST_F(ReadTest, TaskStatusOfAPaidCall) {
  ASSERT_TRUE(Up(PaidCall(2)).ok());
  ASSERT_TRUE(Down(R"({"id":2,"result":{"task":{"taskId":"t1","status":"working"}}})").ok());
  const auto reading = Down(
      R"({"method":"notifications/tasks/status","params":{"taskId":"t1","status":"working"}})");
  EXPECT_EQ(Body1<settlement::TaskStatusObserved>(reading).task_id, "t1");
  EXPECT_EQ(reading->events.front().subject.key, kId);
}

ChainReport Transfer() {
  ChainReport out;
  out.network = "eip155:84532";
  out.asset = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
  out.from = "0x857b06519E91e3A54538791bDbb0E22373e36b66";
  out.to = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
  out.value = "10000";
  out.nonce = "0xF3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480";
  out.chain_tx = "0x" + std::string(64, 'A');
  return out;
}

TEST_F(ReadTest, TransferNamesThePaymentByItself) {
  const auto reading = Read(Seen(Transfer()));
  const auto& body = Body1<settlement::ChainObserved>(reading);
  EXPECT_EQ(reading->events.front().subject.key, kId);
  EXPECT_EQ(body.chain_tx, "0x" + std::string(64, 'a'));
  EXPECT_FALSE(body.slot.empty());
}

TEST_F(ReadTest, FactsAboutANonceBelongToItsSlot) {
  ChainReport used = Transfer();
  used.fact = settlement::ChainFact::kUsed;
  used.to = used.value = "";
  const auto reading = Read(Seen(used));
  EXPECT_EQ(reading->events.front().subject,
            settlement::SlotSubject(Body1<settlement::ChainObserved>(reading).slot));
  used.nonce = "12";
  EXPECT_EQ(Read(Seen(used))->events.front().subject.key.substr(0, 8), "permit2|");
}

TEST_F(ReadTest, RetractionOfATransferIsFiledTwice) {
  ChainReport gone = Transfer();
  gone.fact = settlement::ChainFact::kRetracted;
  const auto reading = Read(Seen(gone));
  ASSERT_EQ(reading->events.size(), 2U);
  EXPECT_NE(reading->events[0].event_id, reading->events[1].event_id);
  EXPECT_EQ(reading->events[0].subject.key, kId);
  EXPECT_EQ(reading->events[1].subject.kind, SubjectKind::kSlot);
}

TEST_F(ReadTest, BadFieldsOfAChainFact) {
  const std::pair<std::string ChainReport::*, std::string> bad[] = {
      {&ChainReport::network, "eip155:08453"},
      {&ChainReport::network, "base"},
      {&ChainReport::from, "0x12"},
      {&ChainReport::value, "1e6"},
      {&ChainReport::nonce, ""},
      {&ChainReport::nonce, "0x12"},
      {&ChainReport::chain_tx, "0x12"}};
  for (const auto& [member, text] : bad) {
    ChainReport report = Transfer();
    report.*member = text;
    const auto reading = Read(Seen(report));
    ASSERT_FALSE(reading.ok()) << text;
    EXPECT_EQ(MetadataOf(reading.status()).count("field"), 1U);
  }
}

TEST_F(ReadTest, ResolutionNamesItsSettlementByIdOrPayment) {
  ResolutionMark mark{"", Payment(), settlement::Resolution::kVoid, "test", 3};
  EXPECT_EQ(Read(Seen(mark))->events.front().subject.key, kId);
  mark.settlement_id = absl::StrCat("sha256:", std::string(64, '0'));
  EXPECT_EQ(ReasonOf(Read(Seen(mark)).status()), Reason::kIdMismatch);
  mark.payment = "";
  mark.closes_version = -1;
  EXPECT_FALSE(Read(Seen(mark)).ok());
}

TEST_F(ReadTest, BadFramesAreErrors) {
  EXPECT_EQ(ReasonOf(Up("not JSON").status()), Reason::kDocumentMalformed);
  Observation blank = Seen(McpFrame{"", Direction::kClientToServer, PaidCall(2)});
  blank.session = "a b";
  EXPECT_EQ(ReasonOf(Read(blank).status()), Reason::kFieldMalformed);
}

TEST_F(ReadTest, TextsOfAnyLengthAreBounded) {
  const std::string name(100000, 'x');
  const std::string call = absl::StrReplaceAll(
      PaidCall(2), {{R"("name":"square")", absl::StrCat(R"("name":")", name, "\"")},
                    {R"("id":2)", absl::StrCat(R"("id":")", name, "\"")}});
  const auto reading = Up(call);
  const auto& body = Body1<settlement::PaymentPresented>(reading);
  EXPECT_LE(body.resource.tool.size(), 256U);
  EXPECT_LE(body.call.request_id.size(), 256U);
  EXPECT_TRUE(reading->events.front().document->bytes.empty());
  EXPECT_EQ(reading->events.front().document->length, call.size());
}

TEST(CallsTest, ForgetsWhatWasNotTouchedForLongest) {
  Calls calls(nullptr, 2);
  for (const char* id : {"1", "2", "3"}) {
    RememberedCall call;
    call.call = {"s", id};
    calls.RememberCall(Direction::kClientToServer, id, call);
    ASSERT_TRUE(calls.FindCall("s", Direction::kClientToServer, "1", {}).ok());
  }
  const auto has = [&](const char* id) {
    return calls.FindCall("s", Direction::kClientToServer, id, {})->has_value();
  };
  EXPECT_TRUE(has("1"));
  EXPECT_FALSE(has("2"));
  EXPECT_TRUE(has("3"));
}

}  // namespace
}  // namespace tally::observation

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ledger/settlement/scenario.h"

namespace tally::settlement {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Scenario SellerSees() { return Scenario().ObservingAll(); }

// --- the usual course ---

TEST(AnswerTest, EachStepOfASettledCallHasItsLabel) {
  Scenario s = SellerSees();
  EXPECT_EQ(s.Presented().LabelNow(), "PRESENTED");
  EXPECT_EQ(s.Verified().LabelNow(), "VERIFIED");
  EXPECT_EQ(s.Started().LabelNow(), "RUNNING");
  EXPECT_EQ(s.Finished().LabelNow(), "RAN_OPEN");
  EXPECT_EQ(s.SettleAsked("x1").LabelNow(), "RAN_OPEN");
  EXPECT_EQ(s.SettleAnswered("x1", SettleOutcome::kSettled).LabelNow(), "PAID_DELIVERY_UNKNOWN");
  EXPECT_EQ(s.Served().LabelNow(), "PAID");
  EXPECT_THAT(NamesOf(s.Answered().anomalies), IsEmpty());
}

TEST(AnswerTest, OneUnansweredAttemptKeepsTheSettlementOpen) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.SettleAsked("x1").Settle("x2", SettleOutcome::kFailed);
  EXPECT_EQ(s.LabelNow(), "RAN_OPEN");
  EXPECT_EQ(s.SettleAnswered("x1", SettleOutcome::kFailed).LabelNow(), "RAN_UNPAID");
  EXPECT_EQ(s.Settle("x3", SettleOutcome::kSettled).LabelNow(), "PAID_DELIVERY_UNKNOWN");
}

TEST(AnswerTest, SeveralSourcesOfOneOccurrenceAreOneOccurrence) {
  Scenario s = SellerSees().Presented().Presented().Verified().Verified();
  s.Started().Started().Finished().Finished();
  EXPECT_THAT(NamesOf(s.Answered().anomalies), Not(Contains("EXECUTED_TWICE")));
  s.Started(3).Finished(ExecutionOutcome::kSucceeded, 3);
  EXPECT_THAT(NamesOf(s.Answered().anomalies), Contains("EXECUTED_TWICE"));
}

TEST(AnswerTest, AStartedRunWhoseLeaseIsOverIsUnknownNotFailed) {
  Scenario s = SellerSees().Presented().Verified().Started();
  EXPECT_EQ(s.LabelAt(299), "RUNNING");
  EXPECT_EQ(s.LabelAt(400), "RUN_UNKNOWN");
}

TEST(AnswerTest, WindowPassesFromLiveToLapsedByTheClockAndNeverToDead) {
  Scenario s = SellerSees().Presented().Refused();
  EXPECT_EQ(s.Answered(Scenario::At(89)).axes.liveness.value, Liveness::kLive);
  const Answer later = s.Answered(Scenario::At(90));
  EXPECT_EQ(later.axes.liveness.value, Liveness::kLapsed);
  EXPECT_EQ(later.axes.liveness.anchor.word, Word::kClock);
  EXPECT_EQ(later.label, Label::kRefused);
  EXPECT_FALSE(later.may_pay_again);
  EXPECT_EQ(s.Answered(Scenario::At(10)).fresh_until, Scenario::At(90));
}

TEST(AnswerTest, APresentationNobodyDecidedIsInDoubtWhenItsTimeIsOver) {
  Scenario s = SellerSees().Presented();
  EXPECT_EQ(s.LabelAt(89), "PRESENTED");
  EXPECT_EQ(s.LabelAt(90), "IN_DOUBT");
}

TEST(AnswerTest, AnAnswerPastAnObserverOfExecutionsWithoutAStartMeansNotStarted) {
  Scenario watched = SellerSees().Presented().Verified().Withheld();
  EXPECT_EQ(watched.Answered().axes.execution.value, Execution::kNotStarted);
  Scenario unwatched = Scenario().Presented().Verified().Withheld();
  EXPECT_EQ(unwatched.Answered().axes.execution.value, Execution::kUnobserved);
  EXPECT_EQ(unwatched.LabelNow(), "IN_DOUBT");
}

TEST(AnswerTest, AnAbortedRunCountsAsNotStarted) {
  Scenario s = SellerSees().Presented().Verified().Started();
  EXPECT_EQ(s.Finished(ExecutionOutcome::kAborted).Answered().axes.execution.value,
            Execution::kNotStarted);
}

TEST(AnswerTest, AStartAfterTheEndOfAnAbortedRunIsNotHiddenByIt) {
  ExecutionStarted start;
  start.execution_id = "exe";
  ExecutionFinished aborted;
  aborted.execution_id = "exe";
  aborted.outcome = ExecutionOutcome::kAborted;
  Scenario s = SellerSees().Presented().Verified().Add(start).Add(aborted);
  EXPECT_EQ(s.Answered().axes.execution.value, Execution::kNotStarted);
  s.Add(start);
  EXPECT_EQ(s.Answered().axes.execution.value, Execution::kStarted);
  EXPECT_EQ(s.LabelNow(), "RUNNING");
  EXPECT_EQ(s.LabelAt(400), "RUN_UNKNOWN");
  EXPECT_EQ(s.Add(aborted).Answered().axes.execution.value, Execution::kNotStarted);
}

TEST(AnswerTest, OfSeveralWordsAboutOneRunTheStrongestCounts) {
  Scenario s = SellerSees().Presented().Verified().Started();
  s.Finished(ExecutionOutcome::kAborted).Finished(ExecutionOutcome::kToolError);
  EXPECT_EQ(s.Answered().axes.execution.value, Execution::kFailed);
  EXPECT_EQ(s.Finished().Answered().axes.execution.value, Execution::kSucceeded);
}

// --- the buyer's own ledger ---

TEST(AnswerTest, ABuyerBelievesOnlyWhatTheAnswerSays) {
  Scenario s = Scenario(LedgerRole::kBuyer).Presented();
  EXPECT_EQ(s.LabelNow(), "PRESENTED");
  PurchaseBooked booked;
  booked.payment_made = true;
  booked.is_error = true;
  s.Withheld().Add(booked);
  EXPECT_EQ(s.LabelNow(), "IN_DOUBT");
  EXPECT_EQ(s.Answered().buyer_advice, Advice::kAskCounterparty);
}

TEST(AnswerTest, ContentWithAReceiptIsPaidOnTheCounterpartysWord) {
  ResponseDelivered delivered;
  delivered.call = Scenario::Call(2);
  delivered.is_content_served = true;
  delivered.receipt =
      SettleReading{SettleOutcome::kSettled, ReasonClass::kNone, "", kTx, "", "", "", {}};
  const Answer answer = Scenario(LedgerRole::kBuyer).Presented().Add(delivered).Answered();
  EXPECT_EQ(answer.label, Label::kPaid);
  EXPECT_EQ(answer.axes.settlement.anchor.word, Word::kCounterparty);
  EXPECT_EQ(answer.axes.execution.anchor.word, Word::kCounterparty);
  EXPECT_EQ(answer.axes.delivery.value, Delivery::kAcknowledged);
  EXPECT_EQ(answer.chain_tx, kTx);
}

// --- standing ---

TEST(StandingTest, JunkBytesUnderTheVictimsIdMoveNothingButAFlag) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kSettled).Served();
  s.Presented(9, "garbage").Refused("garbage").Withheld(9);
  const Answer answer = s.Answered();
  EXPECT_EQ(answer.label, Label::kPaid);
  EXPECT_THAT(NamesOf(answer.anomalies),
              ElementsAre("ANSWER_EXTRACTABLE_AS_PAYABLE", "UNPROVEN_PRESENTATION"));
}

TEST(StandingTest, JunkBeforeTheVictimIsVerifiedDoesNotRefuseIt) {
  Scenario s = SellerSees().Presented(9, "garbage").Refused("garbage").Withheld(9);
  EXPECT_EQ(s.LabelNow(), "REFUSED");  // all there is so far
  EXPECT_EQ(s.Presented(2).LabelNow(), "PRESENTED");
  EXPECT_EQ(s.Verified().LabelNow(), "VERIFIED");
}

TEST(StandingTest, AFailedSettleOfJunkDoesNotFailTheVictim) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished().SettleAsked("x1");
  s.Presented(9, "garbage").SettleAsked("x2", "garbage");
  s.SettleAnswered("x2", SettleOutcome::kFailed, "garbage");
  EXPECT_EQ(s.LabelNow(), "RAN_OPEN");
}

TEST(StandingTest, TheVictimsBytesReplayedAtAnotherToolAreFlagged) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kSettled).Served();
  s.Presented(9, "good", "cube").Refused("good", ReasonClass::kNonceConsumed).Withheld(9);
  const Answer answer = s.Answered();
  EXPECT_EQ(answer.label, Label::kPaid);
  EXPECT_THAT(NamesOf(answer.anomalies), Contains("REPLAYED_ELSEWHERE"));
  EXPECT_EQ(answer.resource.tool, "square");
}

TEST(StandingTest, OnePaymentThatRanAtTwoToolsIsAConflict) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Presented(9, "good", "cube").Verified().Started(9, "cube");
  s.Finished(ExecutionOutcome::kSucceeded, 9, "cube");
  const Answer answer = s.Answered();
  EXPECT_EQ(answer.label, Label::kConflict);
  EXPECT_THAT(NamesOf(answer.anomalies), Contains("AUTHORIZATION_REUSED"));
}

TEST(StandingTest, TwoTermsInOneSlotConflictOnlyWhenBothHaveStanding) {
  const Scenario s = SellerSees().Presented().Verified();
  State rival = Scenario().Presented(7, "rival").state();
  rival.subject.key = "sha256:rival";
  Surroundings around;
  around.slot_siblings = {&rival};
  EXPECT_EQ(s.Answered(std::nullopt, around).label, Label::kVerified);
  rival = Scenario().Presented(7, "rival").Verified("rival").state();
  rival.subject.key = "sha256:rival";
  EXPECT_EQ(s.Answered(std::nullopt, around).label, Label::kConflict);
}

TEST(StandingTest, JunkInAVictimsSlotIsFlaggedOnItsOwnRow) {
  State victim = Scenario().Presented(7, "victim").Verified("victim").state();
  victim.subject.key = "sha256:victim";
  Surroundings around;
  around.slot_siblings = {&victim};
  const Answer junk = SellerSees().Presented().Answered(std::nullopt, around);
  EXPECT_EQ(junk.label, Label::kPresented);
  EXPECT_THAT(NamesOf(junk.anomalies), ElementsAre("UNPROVEN_PRESENTATION"));
}

// --- designs other than the usual ---

TEST(FlowTest, PaidUpFrontAndNotYetRunIsARunDue) {
  Scenario s = SellerSees().Presented(2, "good", "square", PaymentFlow::kUpfront).Verified();
  s.Settle("x1", SettleOutcome::kSettled);
  EXPECT_EQ(s.LabelNow(), "PAID_RUN_DUE");
  EXPECT_EQ(s.LabelAt(95), "PAID_RUN_OPEN");
  EXPECT_EQ(s.Withheld().LabelAt(95), "PAID_NOT_RUN");
}

TEST(FlowTest, EscrowIsHeldUntilCapturedOrGivenBack) {
  Scenario s = SellerSees().Presented(2, "good", "square", PaymentFlow::kEscrow).Verified();
  s.Settle("x1", SettleOutcome::kSettled);
  EXPECT_EQ(s.LabelNow(), "HELD");
  Scenario returned = s;
  returned.SettleAsked("x2", "good", SettlementPhase::kCancel)
      .SettleAnswered("x2", SettleOutcome::kSettled);
  EXPECT_EQ(returned.LabelNow(), "RETURNED");
  s.Started().Finished().Settle("x3", SettleOutcome::kSettled).Served();
  EXPECT_EQ(s.LabelNow(), "PAID");
}

TEST(FlowTest, SettledOverAuthorisedIsAConflict) {
  Scenario s = SellerSees().Presented().Verified().SettleAsked("x1");
  s.SettleAnswered("x1", SettleOutcome::kSettled, "good", "10001");
  EXPECT_EQ(s.LabelNow(), "CONFLICT");
  EXPECT_THAT(NamesOf(s.Answered().anomalies), Contains("SETTLED_OVER_AUTHORISED"));
}

// --- adjusting entries ---

TEST(ClosingTest, AnAdjustingEntryClosesUntilNewerEvidenceChangesAnAxis) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kFailed).Resolved();
  EXPECT_EQ(s.LabelNow(), "CLOSED");
  PurchaseBooked booked;
  EXPECT_EQ(s.Add(booked).LabelNow(), "CLOSED");
  s.Chain(ChainFact::kTransfer, Finality::kSeen);
  EXPECT_EQ(s.LabelNow(), "PAID_DELIVERY_UNKNOWN");
  EXPECT_THAT(NamesOf(s.Answered().anomalies), Contains("LATE_EVIDENCE"));
}

TEST(ClosingTest, AnEntryThatIsAllThereIsSaysSo) {
  Scenario s = Scenario().Resolved();
  EXPECT_EQ(s.LabelNow(), "CLOSED");
  EXPECT_THAT(s.Answered().reason, HasSubstr("all that is on file"));
  EXPECT_THAT(s.Presented().Resolved().Answered().reason, HasSubstr("closed it"));
  EXPECT_THAT(Scenario().Add(PaymentReleased{"mistake"}).Answered().reason,
              HasSubstr("Nothing of the payment itself"));
}

// --- the purchase ---

TEST(PurchaseTest, NobodyMayPayWhileAnotherPaymentOfThePurchaseCouldMove) {
  Scenario dead = SellerSees().Presented().Refused().Withheld();
  dead.Chain(ChainFact::kUnused, Finality::kFinalised, 60);
  State mate = Scenario().Presented(5, "mate").state();
  mate.subject.key = "sha256:mate";
  Surroundings around;
  around.purchase_mates = {&mate};
  const Answer answer = dead.Answered(std::nullopt, around);
  EXPECT_EQ(answer.label, Label::kExpired);
  EXPECT_EQ(answer.buyer_advice, Advice::kWait);
  EXPECT_FALSE(answer.may_pay_again);
}

TEST(PurchaseTest, AStrangersUnsignedPaymentHoldsNobodyUp) {
  Scenario dead = SellerSees().Presented().Refused().Withheld();
  dead.Chain(ChainFact::kUnused, Finality::kFinalised, 60);
  VerificationCompleted refused;
  refused.session = "s";
  refused.payload_digest = "mate";
  refused.outcome = VerificationOutcome::kInvalid;
  refused.reason = "invalid_exact_evm_payload_signature";
  State mate = Scenario().Presented(5, "mate").Add(refused).state();
  mate.subject.key = "sha256:mate";
  Surroundings around;
  around.purchase_mates = {&mate};
  EXPECT_EQ(dead.Answered(std::nullopt, around).buyer_advice, Advice::kPay);
}

TEST(PurchaseTest, AskingAgainWhileTheFirstPaymentIsInDoubtIsNoReasonToPay) {
  const State earlier = Scenario(LedgerRole::kBuyer).Presented().Withheld().state();
  ChallengeIssued again;
  again.arguments_sha256 = "arguments of square";
  again.offers = {Offer{}};
  Scenario s(LedgerRole::kBuyer);
  s.Add(PurchaseBooked{}).Add(PurchaseBooked{}).Add(again);
  Surroundings around;
  EXPECT_EQ(s.Answered(std::nullopt, around).buyer_advice, Advice::kPay);
  around.session_mates = {&earlier};
  EXPECT_EQ(s.Answered(std::nullopt, around).buyer_advice, Advice::kWait);
  EXPECT_FALSE(s.Answered(std::nullopt, around).may_pay_again);
}

TEST(PurchaseTest, PayingAgainAfterBeingServedIsAnotherPurchase) {
  Scenario first = SellerSees().Presented(5, "mate").Settle("x9", SettleOutcome::kSettled);
  State served = first.Served(5).state();
  served.subject.key = "sha256:mate";
  Scenario s = SellerSees();
  for (int i = 0; i < 6; ++i) s.Add(PurchaseBooked{});
  s.Presented().Verified().Started().Finished().Settle("x1", SettleOutcome::kSettled).Served();
  Surroundings around;
  around.purchase_mates = {&served};
  EXPECT_THAT(NamesOf(s.Answered(std::nullopt, around).anomalies), IsEmpty());
}

TEST(PurchaseTest, TwoSettledPaymentsOfOnePurchaseAreFlagged) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kSettled).Served();
  State mate = Scenario().Presented(5, "mate").Settle("x9", SettleOutcome::kSettled).state();
  mate.subject.key = "sha256:mate";
  Surroundings around;
  around.purchase_mates = {&mate};
  EXPECT_THAT(NamesOf(s.Answered(std::nullopt, around).anomalies),
              Contains("DUPLICATE_SETTLEMENT"));
}

TEST(PurchaseTest, ARefusedPaymentMayBeSignedAgainInItsSlotOnlyWhileItIsAlone) {
  const Scenario s = SellerSees().Presented().Refused().Withheld();
  EXPECT_EQ(s.Answered().buyer_advice, Advice::kResignSameSlot);
  State mate = Scenario().Presented(5, "mate").state();
  mate.subject.key = "sha256:mate";
  Surroundings around;
  around.purchase_mates = {&mate};
  EXPECT_EQ(s.Answered(std::nullopt, around).buyer_advice, Advice::kWait);
}

TEST(AnswerTest, TheLookUpThatWouldDecideIsNamed) {
  const Answer answer =
      SellerSees().Presented().Refused("good", ReasonClass::kNonceConsumed).Answered();
  EXPECT_EQ(answer.label, Label::kNonceConsumed);
  ASSERT_TRUE(answer.chain_lookup.has_value());
  EXPECT_EQ(answer.chain_lookup->contract, kAsset);
  EXPECT_EQ(answer.chain_lookup->method, "authorizationState(address,bytes32)");
  EXPECT_THAT(answer.chain_lookup->arguments, ElementsAre(kPayer, kNonce));
  EXPECT_EQ(answer.chain_lookup->bit, std::nullopt);
  const LogFilter& logs = answer.chain_lookup->logs;
  EXPECT_EQ(logs.contract, kAsset);
  EXPECT_THAT(logs.events, ElementsAre("AuthorizationUsed(address,bytes32)",
                                       "AuthorizationCanceled(address,bytes32)"));
  EXPECT_THAT(
      logs.topics,
      ElementsAre(ElementsAre("0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
                              "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"),
                  ElementsAre("0x0000000000000000000000001111111111111111111111111111111111111111"),
                  ElementsAre(kNonce)));
}

TEST(AnswerTest, APermit2NonceIsABitOfAWord) {
  constexpr char kPermit2[] = "0x000000000022d473030f116ddee9f6b43ac78ba3";
  PaymentPresented presented;
  presented.terms = Scenario::TermsOf();
  presented.terms->nonce = "123456";  // 482 * 256 + 64
  presented.terms->slot =
      absl::StrCat("permit2|eip155:8453|", kPermit2, "|", kPayer, "|", presented.terms->nonce);
  const Answer answer = SellerSees().Add(presented).Answered();
  ASSERT_TRUE(answer.chain_lookup.has_value());
  EXPECT_EQ(answer.chain_lookup->contract, kPermit2);
  EXPECT_EQ(answer.chain_lookup->method, "nonceBitmap(address,uint256)");
  EXPECT_THAT(answer.chain_lookup->arguments, ElementsAre(kPayer, "482"));
  EXPECT_EQ(answer.chain_lookup->bit, 64);
  EXPECT_EQ(answer.chain_lookup->logs.contract, kAsset);
  ASSERT_EQ(answer.chain_lookup->logs.topics.size(), 3U);
  EXPECT_THAT(answer.chain_lookup->logs.topics[2],
              ElementsAre("0x0000000000000000000000002222222222222222222222222222222222222222"));
}

TEST(AnswerTest, ASlotThatSaysTooLittleNamesNoLookUp) {
  for (const char* slot : {"", "eip3009", "eip3009|eip155:1|0x33|0x11|0x99", "other|a|b|c|d"}) {
    PaymentPresented presented;
    presented.terms = Scenario::TermsOf();
    presented.terms->slot = slot;
    EXPECT_FALSE(SellerSees().Add(presented).Answered().chain_lookup.has_value()) << slot;
  }
}

}  // namespace
}  // namespace tally::settlement

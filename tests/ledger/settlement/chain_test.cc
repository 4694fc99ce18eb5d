// What the chain says, and what it leaves open.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ledger/settlement/scenario.h"

namespace tally::settlement {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Scenario SellerSees() { return Scenario().ObservingAll(); }

TEST(ChainTest, DeadOnlyAtAFinalisedBlock) {
  Scenario s = SellerSees().Presented().Refused().Withheld();
  EXPECT_EQ(
      Scenario(s).Chain(ChainFact::kCancelled, Finality::kSeen).Answered().axes.liveness.value,
      Liveness::kNotProvable);
  EXPECT_EQ(Scenario(s).Chain(ChainFact::kCancelled, Finality::kFinalised).LabelNow(), "EXPIRED");
  EXPECT_EQ(Scenario(s).Chain(ChainFact::kUnused, Finality::kFinalised, 59).LabelNow(), "REFUSED");
  EXPECT_EQ(Scenario(s).Chain(ChainFact::kUnused, Finality::kSafe, 60).LabelNow(), "REFUSED");
  const Answer dead = Scenario(s).Chain(ChainFact::kUnused, Finality::kFinalised, 60).Answered();
  EXPECT_EQ(dead.label, Label::kExpired);
  EXPECT_EQ(dead.buyer_advice, Advice::kPay);
  EXPECT_TRUE(dead.may_pay_again);
}

TEST(ChainTest, AUsedNonceWithoutATransferProvesNothing) {
  Scenario s = SellerSees().Presented().Refused().Chain(ChainFact::kUsed, Finality::kFinalised);
  EXPECT_EQ(s.Answered().axes.liveness.value, Liveness::kNotProvable);
  EXPECT_FALSE(s.Answered().may_pay_again);
}

TEST(ChainTest, ATransferSettlesWhateverTheFacilitatorSaid) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kFailed);
  EXPECT_EQ(s.LabelNow(), "RAN_UNPAID");
  s.Chain(ChainFact::kTransfer, Finality::kSeen);
  EXPECT_EQ(s.LabelNow(), "PAID_DELIVERY_UNKNOWN");
  EXPECT_EQ(s.Answered().axes.settlement.anchor.word, Word::kChainSeen);
}

TEST(ChainTest, UnusedKillsOnlyWhenTheLatestWindowIsOver) {
  Scenario s = SellerSees().Presented().Verified().Withheld().Resigned(4, "later", 600);
  s.SettleAsked("x1", "later").SettleAnswered("x1", SettleOutcome::kUnresolved, "later");
  Scenario early = s;
  early.Chain(ChainFact::kUnused, Finality::kFinalised, 90);
  EXPECT_EQ(early.Answered().axes.liveness.value, Liveness::kNotProvable);
  EXPECT_FALSE(early.Answered().may_pay_again);
  s.Chain(ChainFact::kUnused, Finality::kFinalised, 600);
  EXPECT_EQ(s.Answered().axes.liveness.value, Liveness::kExpiredUnused);
}

TEST(ChainTest, BytesRefusedForTheirSignatureHoldNoWindowOpen) {
  Scenario s = SellerSees().Presented().Refused().Withheld().Resigned(9, "garbage", 100'000);
  VerificationCompleted refused;
  refused.session = "s";
  refused.payload_digest = "garbage";
  refused.outcome = VerificationOutcome::kInvalid;
  refused.reason = "invalid_exact_evm_payload_signature";
  s.Add(refused).Withheld(9).Chain(ChainFact::kUnused, Finality::kFinalised, 60);
  EXPECT_EQ(s.LabelNow(), "EXPIRED");
}

TEST(ChainTest, ARetractionRemovesTheEvidenceItNamesAndNothingElse) {
  Scenario s = SellerSees().Presented().Verified().Started().Finished();
  s.Settle("x1", SettleOutcome::kFailed);
  s.Chain(ChainFact::kTransfer, Finality::kSeen).Chain(ChainFact::kRetracted, Finality::kSeen);
  EXPECT_EQ(s.LabelNow(), "RAN_UNPAID");
}

TEST(ChainTest, TheSlotSpentByOtherTermsIsDeadWhenFinal) {
  const Scenario s = SellerSees().Presented().Refused().Withheld();
  State facts = Scenario().Chain(ChainFact::kTransfer, Finality::kFinalised, 5, "77").state();
  Surroundings around;
  around.slot_facts = &facts;
  const Answer answer = s.Answered(std::nullopt, around);
  EXPECT_EQ(answer.axes.liveness.value, Liveness::kSpentByOther);
  EXPECT_EQ(answer.label, Label::kExpired);
}

// A fact filed under the slot; `to` and `value` can be left out of a transfer.
State SlotFact(ChainFact fact, Finality finality, const std::string& to = "",
               const std::string& value = "") {
  ChainObserved body;
  body.fact = fact;
  body.finality = finality;
  body.network = "eip155:8453";
  body.from = kPayer;
  body.nonce = "0x99";
  body.slot = kSlot;
  body.chain_tx = kTx;
  body.to = to;
  body.value = value;
  return Scenario().Add(body).state();
}

Answer AnsweredBeside(const Scenario& s, const State& slot_facts) {
  Surroundings around;
  around.slot_facts = &slot_facts;
  // After the window: the clock alone would say LAPSED.
  return s.Answered(Scenario::At(1000), around);
}

TEST(ChainTest, ANonceThatIsUsedUnseenIsNeverSaidToBeUnpaid) {
  const State unseen[] = {SlotFact(ChainFact::kUsed, Finality::kFinalised),
                          SlotFact(ChainFact::kUsed, Finality::kSeen),
                          SlotFact(ChainFact::kTransfer, Finality::kFinalised),
                          SlotFact(ChainFact::kTransfer, Finality::kFinalised, kSeller),
                          SlotFact(ChainFact::kTransfer, Finality::kFinalised, "", "10000")};
  for (const State& facts : unseen) {
    Scenario s = SellerSees().Presented().Verified().Started().Finished();
    Answer answer = AnsweredBeside(s.Settle("x1", SettleOutcome::kFailed), facts);
    EXPECT_EQ(answer.label, Label::kRanOpen);
    EXPECT_EQ(answer.axes.settlement.value, Settlement::kOpen);
    EXPECT_EQ(answer.axes.liveness.value, Liveness::kNotProvable);
    EXPECT_GE(answer.axes.liveness.anchor.word, Word::kChainSeen);
    EXPECT_EQ(answer.axes.presentation.anchor.word, Word::kFacilitator);
    EXPECT_EQ(answer.seller_advice, Advice::kLookUpNonce);
    EXPECT_THAT(answer.reason, Not(HasSubstr("can still be settled")));
    EXPECT_FALSE(answer.may_pay_again);

    s = SellerSees().Presented().Verified().Started().Finished(ExecutionOutcome::kToolError);
    EXPECT_EQ(AnsweredBeside(s, facts).label, Label::kFailedOpen);

    s = SellerSees().Presented().Refused().Withheld();
    answer = AnsweredBeside(s, facts);
    EXPECT_EQ(answer.label, Label::kNonceConsumed);
    EXPECT_EQ(answer.axes.settlement.value, Settlement::kNotRequested);
  }
}

TEST(ChainTest, ATransferThatNamesOtherTermsIsAnothersAndOneThatNamesTheseIsThis) {
  const Scenario s = SellerSees().Presented().Verified().Started().Finished();
  const auto fact = [](const std::string& to, const std::string& value) {
    return SlotFact(ChainFact::kTransfer, Finality::kFinalised, to, value);
  };
  EXPECT_EQ(AnsweredBeside(s, fact(kSeller, "10000")).label, Label::kPaidDeliveryUnknown);
  EXPECT_EQ(AnsweredBeside(s, fact(kPayer, "")).axes.liveness.value, Liveness::kSpentByOther);
  EXPECT_EQ(AnsweredBeside(s, fact("", "77")).axes.liveness.value, Liveness::kSpentByOther);
}

TEST(ChainTest, AnothersTransferGivesNoStanding) {
  const Scenario s = SellerSees().Presented();
  const State facts = SlotFact(ChainFact::kTransfer, Finality::kFinalised, kPayer, "77");
  EXPECT_EQ(AnsweredBeside(s, facts).axes.presentation.value, Presentation::kPresented);
}

TEST(ChainTest, LessThanTheMostOfUptoMayBeThisPayment) {
  PaymentPresented presented;
  presented.call = Scenario::Call(2);
  presented.terms = Scenario::TermsOf();
  presented.terms->scheme = "upto";
  const Scenario s = SellerSees().Add(presented).Verified().Started().Finished();
  const Answer answer =
      AnsweredBeside(s, SlotFact(ChainFact::kTransfer, Finality::kFinalised, kSeller, "77"));
  EXPECT_EQ(answer.label, Label::kRanOpen);
  EXPECT_FALSE(answer.may_pay_again);
}

}  // namespace
}  // namespace tally::settlement

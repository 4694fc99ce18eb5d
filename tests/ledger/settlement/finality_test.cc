#include "ledger/settlement/finality.h"

#include <gtest/gtest.h>

#include "ledger/settlement/names.h"

namespace tally::settlement {
namespace {

Answer AnswerOf(Label label, Word settlement_word, Liveness liveness,
                Advice buyer = Advice::kNone) {
  Answer answer;
  answer.label = label;
  answer.axes.settlement.anchor.word = settlement_word;
  answer.axes.liveness.value = liveness;
  answer.buyer_advice = buyer;
  return answer;
}

TEST(FinalityTest, AdjustingEntryIsFinal) {
  EXPECT_TRUE(IsFinal(AnswerOf(Label::kClosed, Word::kNobody, Liveness::kLive)));
}

TEST(FinalityTest, PaidIsFinalInAFinalisedBlockOnly) {
  for (const Word word :
       {Word::kFacilitator, Word::kOperator, Word::kChainSeen, Word::kChainSafe}) {
    EXPECT_FALSE(IsFinal(AnswerOf(Label::kPaid, word, Liveness::kSpentByThis))) << NameOf(word);
  }
  EXPECT_TRUE(IsFinal(AnswerOf(Label::kPaid, Word::kChainFinalised, Liveness::kSpentByThis)));
}

TEST(FinalityTest, UnpaidIsFinalWhenTheAuthorizationIsDead) {
  for (const Label label : {Label::kRanUnpaid, Label::kToolFailed, Label::kExpired}) {
    for (const Liveness alive : {Liveness::kLive, Liveness::kLapsed, Liveness::kNotProvable}) {
      EXPECT_FALSE(IsFinal(AnswerOf(label, Word::kNobody, alive))) << NameOf(alive);
    }
    for (const Liveness dead :
         {Liveness::kSpentByOther, Liveness::kCancelled, Liveness::kExpiredUnused}) {
      EXPECT_TRUE(IsFinal(AnswerOf(label, Word::kNobody, dead))) << NameOf(dead);
      // Another payment of the purchase holds it up.
      EXPECT_FALSE(IsFinal(AnswerOf(label, Word::kNobody, dead, Advice::kWait)));
    }
  }
}

TEST(FinalityTest, WhatSomebodyStillOwesIsNot) {
  for (const Label label :
       {Label::kPaidUndelivered, Label::kPaidNotRun, Label::kPaidRunOpen, Label::kHeld,
        Label::kUnpaidRunUnknown, Label::kConflict, Label::kReturned, Label::kInDoubt}) {
    EXPECT_FALSE(IsFinal(AnswerOf(label, Word::kChainFinalised, Liveness::kExpiredUnused)))
        << NameOf(label);
  }
}

}  // namespace
}  // namespace tally::settlement

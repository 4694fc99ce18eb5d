#include "ledger/settlement/decide.h"

#include "gtest/gtest.h"
#include "tests/ledger/settlement/scenario.h"
#include "tests/support/claim_refusals.h"

namespace tally::settlement {
namespace {

ClaimExecution ClaimOf(const std::string& request_id, const std::string& tool = "square") {
  ClaimExecution claim;
  claim.resource = Scenario::Tool(tool);
  claim.arguments_sha256 = "arguments of " + tool;
  claim.request_id = request_id;
  return claim;
}

std::string Claimed(Scenario& s, const ClaimExecution& claim, const std::string& execution_id,
                    std::optional<absl::Time> now = std::nullopt) {
  auto outcome = Decide(s.state(), {}, claim, execution_id, now.value_or(s.now()));
  if (const auto* refused = std::get_if<ClaimRefused>(&outcome)) {
    return std::string(NameOf(refused->refusal));
  }
  auto& granted = std::get<ClaimGranted>(outcome);
  for (Event& event : granted.events) s.Add(event.body);
  return absl::StrCat("granted ", granted.execution_id, " fence ", granted.fence);
}

Scenario& Execute(Scenario& s, const std::string& execution_id,
                  std::optional<ExecutionOutcome> outcome) {
  ExecutionStarted started;
  started.execution_id = execution_id;
  s.Add(started);
  if (outcome.has_value()) {
    ExecutionFinished finished;
    finished.execution_id = execution_id;
    finished.outcome = *outcome;
    s.Add(finished);
  }
  return s;
}

TEST(DecideTest, SecondClaimWhileOneIsLiveIsRefused) {
  Scenario s = Scenario().Presented().Verified();
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run1"), "granted run1 fence 1");
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2"), "ALREADY_GRANTED");
}

TEST(DecideTest, TheSameRequestIsAnsweredAsItWas) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run2"), "granted run1 fence 1");
}

TEST(DecideTest, ARepeatAfterTheRunWasSeenIsNotGrantedASecondRun) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  Execute(s, "run1", std::nullopt);
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run2"), "ALREADY_GRANTED");
  Execute(s, "run1", ExecutionOutcome::kSucceeded);
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run2"), "ALREADY_RAN");
}

TEST(DecideTest, TimeAloneNeverFreesAClaim) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2", Scenario::At(100'000)), "ALREADY_GRANTED");
  Execute(s, "run1", std::nullopt);
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2"), "ALREADY_GRANTED");
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2", Scenario::At(100'000)), "RUN_UNKNOWN");
}

TEST(DecideTest, AbortedBeforeAnyEffectIsGrantedAnewWithAHigherFence) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  Execute(s, "run1", ExecutionOutcome::kAborted);
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2"), "granted run2 fence 2");
}

TEST(DecideTest, AfterAFailureOnlyAnIdempotentToolOrAnOperatorMayRunAgain) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  Execute(s, "run1", ExecutionOutcome::kToolError);
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2"), "FAILED_ONCE");
  ClaimExecution idempotent = ClaimOf("c");
  idempotent.is_tool_idempotent = true;
  Scenario other = s;
  EXPECT_EQ(Claimed(other, idempotent, "run2"), "granted run2 fence 2");
  ClaimExecution overridden = ClaimOf("d");
  overridden.is_operator_override = true;
  EXPECT_EQ(Claimed(s, overridden, "run3"), "granted run3 fence 2");
}

TEST(DecideTest, WhatRanIsNotRunAgain) {
  Scenario s = Scenario().Presented().Verified();
  Claimed(s, ClaimOf("a"), "run1");
  Execute(s, "run1", ExecutionOutcome::kSucceeded);
  EXPECT_EQ(Claimed(s, ClaimOf("b"), "run2"), "ALREADY_RAN");
}

TEST(DecideTest, OtherArgumentsUnderTheSamePaymentAreRefused) {
  Scenario s = Scenario().Presented().Verified();
  EXPECT_EQ(Claimed(s, ClaimOf("a", "cube"), "run1"), "OTHER_REQUEST");
  Claimed(s, ClaimOf("a"), "run1");
  Execute(s, "run1", ExecutionOutcome::kAborted);
  EXPECT_EQ(Claimed(s, ClaimOf("b", "cube"), "run2"), "OTHER_REQUEST");
  EXPECT_EQ(Claimed(s, ClaimOf("a", "cube"), "run2"), "OTHER_REQUEST");
}

TEST(DecideTest, AWeakIdNeedsAPurchaseId) {
  Scenario s;
  PaymentPresented presented;
  presented.terms = Scenario::TermsOf();
  presented.terms->is_weak = true;
  s.Add(presented);
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run1"), "NOT_UNIQUE");
  ClaimExecution named = ClaimOf("a");
  named.purchase_id = "pay_7d5d747be160e280";
  EXPECT_EQ(Claimed(s, named, "run1"), "granted run1 fence 1");
}

TEST(DecideTest, AWeakIdThatOnlyTheDocumentShowsNeedsAPurchaseIdToo) {
  Scenario s;
  ClaimExecution claim = ClaimOf("a");
  claim.is_weak = true;
  EXPECT_EQ(Claimed(s, claim, "run1"), "NOT_UNIQUE");
  claim.purchase_id = "pay_7d5d747be160e280";
  EXPECT_EQ(Claimed(s, claim, "run1"), "granted run1 fence 1");
}

// What a claim on another payment of the same slot is told.
std::string ToldBeside(const Scenario& sibling) {
  const State beside = sibling.state();
  auto outcome = Decide(Scenario().Presented().Verified().state(), {&beside}, ClaimOf("a"), "run9",
                        sibling.now());
  const auto* refused = std::get_if<ClaimRefused>(&outcome);
  if (refused == nullptr) return "granted";
  return absl::StrCat(NameOf(refused->refusal), " ", refused->holder_execution_id);
}

TEST(DecideTest, OfTwoPaymentsWithOneNonceOneRuns) {
  Scenario sibling = Scenario().Presented(7, "rival", "cube").Verified("rival");
  EXPECT_EQ(ToldBeside(sibling), "granted");
  Claimed(sibling, ClaimOf("s", "cube"), "run1");
  EXPECT_EQ(ToldBeside(sibling), "ALREADY_GRANTED run1");
  Scenario aborted = sibling;
  EXPECT_EQ(ToldBeside(Execute(aborted, "run1", ExecutionOutcome::kAborted)), "granted");
  Scenario failed = sibling;
  EXPECT_EQ(ToldBeside(Execute(failed, "run1", ExecutionOutcome::kToolError)), "granted");
  Scenario ran = sibling;
  EXPECT_EQ(ToldBeside(Execute(ran, "run1", ExecutionOutcome::kSucceeded)), "ALREADY_GRANTED run1");
  EXPECT_EQ(ToldBeside(Scenario().Presented(7, "rival", "cube").Started(7, "cube")),
            "ALREADY_GRANTED ");
}

TEST(DecideTest, AClosedSettlementGrantsNothing) {
  Scenario s = Scenario().Presented().Verified().Resolved();
  EXPECT_EQ(Claimed(s, ClaimOf("a"), "run1"), "CLOSED");
}

}  // namespace
}  // namespace tally::settlement

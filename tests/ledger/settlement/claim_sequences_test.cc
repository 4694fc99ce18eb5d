// One payment buys one run, whatever the order of claims, marks and waiting. Each course is a line
// of steps, a second apart, with what every claim is to be told, worked out by hand from the rules:
// granted once; freed only by an end that names the execution, aborted or (for an idempotent tool
// or an operator) failed; never by time; a repeat is the same caller asking for a lost answer.
//
//   claim ID [by CALLER] [idempotent] [operator] [for TOOL] [named] = granted F | again F | REFUSAL
//   start F, end F OUTCOME       marks that name the execution granted with fence F
//   start call N, end call N …   marks that name the call only
//   serve N                      an answer with content goes out to call N
//   wait SECONDS, close          time passes; an operator closes the settlement
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "ledger/settlement/decide.h"
#include "tests/ledger/settlement/scenario.h"
#include "tests/support/claim_refusals.h"

namespace tally::settlement {
namespace {

using Words = std::vector<std::string>;

int NumberOf(const std::string& word) {
  int number = 0;
  EXPECT_TRUE(absl::SimpleAtoi(word, &number)) << word;
  return number;
}

ExecutionOutcome OutcomeOf(const std::string& word) {
  if (word == "succeeded") return ExecutionOutcome::kSucceeded;
  if (word == "failed") return ExecutionOutcome::kToolError;
  if (word == "crashed") return ExecutionOutcome::kCrashed;
  EXPECT_EQ(word, "aborted");
  return ExecutionOutcome::kAborted;
}

class Course {
 public:
  explicit Course(bool is_weak) {
    PaymentPresented presented;
    presented.call = Scenario::Call(2);
    presented.resource = Scenario::Tool();
    presented.arguments_sha256 = "arguments";
    presented.terms = Scenario::TermsOf();
    presented.terms->is_weak = is_weak;
    Add(presented);
  }

  // What the step says; empty unless it is a claim.
  std::string Take(const Words& step) {
    ++seconds_;
    if (step[0] == "claim") return Claim(step);
    if (step[0] == "wait") seconds_ += NumberOf(step[1]);
    if (step[0] == "start") Start(step);
    if (step[0] == "end") End(step);
    if (step[0] == "serve") Serve(step);
    if (step[0] == "close") Add(SettlementResolved{Resolution::kVoid, "test", 0});
    return "";
  }

 private:
  static Resource ToolOf(const std::string& tool) { return Scenario::Tool(tool); }

  std::string Claim(const Words& step) {
    ClaimExecution claim;
    claim.request_id = step[1];
    claim.caller = "worker";
    claim.resource = ToolOf("square");
    claim.arguments_sha256 = "arguments";
    for (std::size_t i = 2; i < step.size(); ++i) {
      if (step[i] == "by")
        claim.caller = step[++i];
      else if (step[i] == "for")
        claim.resource = ToolOf(step[++i]);
      else if (step[i] == "named")
        claim.purchase_id = "pay_1";
      else if (step[i] == "idempotent")
        claim.is_tool_idempotent = true;
      else if (step[i] == "operator")
        claim.is_operator_override = true;
      else
        ADD_FAILURE() << step[i];
    }
    auto outcome = Decide(StateNow(), {}, claim, absl::StrCat("exe", ++minted_), Now());
    if (const auto* refused = std::get_if<ClaimRefused>(&outcome)) {
      return std::string(NameOf(refused->refusal));
    }
    const auto& granted = std::get<ClaimGranted>(outcome);
    EXPECT_GT(granted.lease_until, Now()) << "a grant whose lease is over";
    for (const Event& event : granted.events) File(event);
    executions_[granted.fence] = granted.execution_id;
    return absl::StrCat(granted.is_replayed ? "again " : "granted ", granted.fence);
  }

  void Start(const Words& step) {
    ExecutionStarted body;
    Name(step, body);
    Add(body);
  }
  void End(const Words& step) {
    ExecutionFinished body;
    Name(step, body);
    body.outcome = OutcomeOf(step.back());
    Add(body);
  }
  void Serve(const Words& step) {
    ResponseDelivered body;
    body.call = Scenario::Call(NumberOf(step[1]));
    body.is_content_served = true;
    Add(body);
  }
  template <typename Mark>
  void Name(const Words& step, Mark& mark) {
    const bool is_call = step[1] == "call";
    mark.resource = ToolOf("square");
    mark.call = Scenario::Call(is_call ? NumberOf(step[2]) : 2);
    if (!is_call) mark.execution_id = executions_.at(NumberOf(step[1]));
  }

  void Add(Body body) {
    Event event;
    event.event_id = absl::StrCat("e", events_.size());
    event.occurred_time = Now();
    event.body = std::move(body);
    File(event);
  }
  // As a store does: one event an id.
  void File(Event event) {
    for (const RecordedEvent& other : events_) EXPECT_NE(other.event.event_id, event.event_id);
    RecordedEvent recorded;
    recorded.event = std::move(event);
    recorded.position = recorded.version = static_cast<std::int64_t>(events_.size()) + 1;
    recorded.recorded_time = Now();
    events_.push_back(std::move(recorded));
  }
  absl::Time Now() const { return Scenario::At(seconds_); }
  State StateNow() const { return Fold({SubjectKind::kSettlement, "sha256:this"}, events_); }

  int seconds_ = 0;
  int minted_ = 0;
  std::vector<RecordedEvent> events_;
  std::map<std::int64_t, std::string> executions_;  // by fence
};

// Walks the course and returns it with what the claims were told.
std::string Walk(const std::string& line, bool is_weak) {
  Course course(is_weak);
  std::vector<std::string> walked;
  for (const absl::string_view step : absl::StrSplit(line, "; ")) {
    const std::string doing(step.substr(0, step.find(" = ")));
    const std::string told = course.Take(absl::StrSplit(doing, ' '));
    walked.push_back(told.empty() ? doing : absl::StrCat(doing, " = ", told));
  }
  return absl::StrJoin(walked, "; ");
}

void ExpectAll(const std::vector<std::string>& lines, bool is_weak = false) {
  for (const std::string& line : lines) EXPECT_EQ(Walk(line, is_weak), line);
}

TEST(ClaimSequencesTest, ARepeatIsTheSameCallerAskingForALostAnswer) {
  ExpectAll({
      "claim a = granted 1; claim a = again 1; claim a = again 1",
      "claim a = granted 1; claim b = ALREADY_GRANTED; claim a = again 1",
      "claim a = granted 1; claim a by another = ALREADY_GRANTED; claim a = again 1",
      "claim a = granted 1; claim a for cube = OTHER_REQUEST; claim b for cube = OTHER_REQUEST",
      "claim a for cube = granted 1; claim a = OTHER_REQUEST",
      "claim a = granted 1; close; claim a = CLOSED; claim b = CLOSED",
  });
}

TEST(ClaimSequencesTest, TimeFreesNothingAndRevivesNothing) {
  ExpectAll({
      "claim a = granted 1; wait 400; claim a = ALREADY_GRANTED; claim b = ALREADY_GRANTED",
      "claim a = granted 1; wait 400; end 1 aborted; claim a = granted 2; claim a = again 2",
      "claim a = granted 1; start 1; wait 400; claim a = RUN_UNKNOWN; claim b = RUN_UNKNOWN; "
      "claim c idempotent operator = RUN_UNKNOWN",
      "start call 2; claim a = ALREADY_GRANTED; wait 400; claim a = RUN_UNKNOWN",
  });
}

TEST(ClaimSequencesTest, AStartEndsTheRepeats) {
  ExpectAll({
      "claim a = granted 1; start 1; claim a = ALREADY_GRANTED; claim b = ALREADY_GRANTED",
      "claim a = granted 1; start call 2; claim a = ALREADY_GRANTED; wait 400; claim a = "
      "RUN_UNKNOWN",
      "claim a = granted 1; start call 9; claim a = ALREADY_GRANTED; claim b = ALREADY_GRANTED",
  });
}

TEST(ClaimSequencesTest, WhatRanIsNeverGrantedAgain) {
  ExpectAll({
      "claim a = granted 1; start 1; end 1 succeeded; claim a = ALREADY_RAN; claim b idempotent "
      "operator = ALREADY_RAN",
      "claim a = granted 1; end 1 succeeded; claim a = ALREADY_RAN",
      "claim a = granted 1; start call 2; end call 2 succeeded; claim a = ALREADY_RAN; claim b = "
      "ALREADY_RAN",
      "start call 2; end call 2 succeeded; claim a = ALREADY_RAN",
      "claim a = granted 1; serve 2; claim a = ALREADY_RAN; claim b idempotent = ALREADY_RAN",
      "serve 2; claim a = ALREADY_RAN",
      "claim a = granted 1; start 1; end 1 aborted; end 1 succeeded; claim a = ALREADY_RAN",
      "claim a = granted 1; end 1 aborted; claim b = granted 2; start 2; end 2 succeeded; claim a "
      "= "
      "ALREADY_RAN; claim c = ALREADY_RAN",
      "claim a = granted 1; start call 9; end call 9 failed; end 1 succeeded; claim b = "
      "ALREADY_RAN",
  });
}

TEST(ClaimSequencesTest, AnAbortFreesOnce) {
  ExpectAll({
      "claim a = granted 1; end 1 aborted; claim a = granted 2; claim b = ALREADY_GRANTED",
      "claim a = granted 1; start 1; end 1 aborted; claim b = granted 2; claim a = "
      "ALREADY_GRANTED; claim b = again 2",
      "claim a = granted 1; end 1 aborted; claim a = granted 2; end 2 aborted; claim a = granted "
      "3; "
      "start 3; claim a = ALREADY_GRANTED",
      "claim a = granted 1; end 1 aborted; claim a for cube = OTHER_REQUEST",
  });
}

TEST(ClaimSequencesTest, AStartAfterAnAbortIsARunOfItsOwn) {
  ExpectAll({
      "claim a = granted 1; start 1; end 1 aborted; start 1; claim a = ALREADY_GRANTED; claim b = "
      "ALREADY_GRANTED; wait 400; claim b = RUN_UNKNOWN",
      "claim a = granted 1; end 1 aborted; claim a = granted 2; end 2 aborted; start 1; claim b = "
      "ALREADY_GRANTED",
      "claim a = granted 1; start 1; end 1 aborted; start 1; end 1 aborted; claim a = granted 2",
      "claim a = granted 1; start 1; end 1 aborted; start 1; end 1 failed; claim a = FAILED_ONCE",
      "claim a = granted 1; start 1; end 1 failed; start 1; claim b idempotent = ALREADY_GRANTED",
  });
}

TEST(ClaimSequencesTest, OnlyAnEndThatNamesTheExecutionFreesIt) {
  ExpectAll({
      // Somebody who was refused gives up: that ends nobody else's run.
      "claim a = granted 1; claim b = ALREADY_GRANTED; end call 9 aborted; claim b = "
      "ALREADY_GRANTED; claim a = again 1",
      "claim a = granted 1; start 1; claim b = ALREADY_GRANTED; end call 2 aborted; claim b = "
      "ALREADY_GRANTED; claim a = ALREADY_GRANTED",
      "claim a = granted 1; start 1; end call 2 failed; claim b idempotent = ALREADY_GRANTED; "
      "end 1 failed; claim b idempotent = granted 2",
      "claim a = granted 1; start 1; end 1 aborted; start 1; end call 2 aborted; claim b = "
      "ALREADY_GRANTED; end 1 aborted; claim b = granted 2",
  });
}

TEST(ClaimSequencesTest, AFailureIsRepeatedOnlyByAnIdempotentToolOrAnOperator) {
  ExpectAll({
      "claim a = granted 1; start 1; end 1 failed; claim a = FAILED_ONCE; claim b = FAILED_ONCE",
      "claim a = granted 1; start 1; end 1 crashed; claim a operator = granted 2; claim a "
      "operator = again 2; claim a = FAILED_ONCE",
      "claim a idempotent = granted 1; start 1; end 1 failed; claim a idempotent = granted 2",
      "claim a idempotent = granted 1; start 1; end 1 failed; claim b = granted 2; claim a = "
      "ALREADY_GRANTED",
      "claim a = granted 1; start 1; end 1 failed; claim a idempotent = granted 2; start 2; "
      "end 2 failed; claim c operator = granted 3; start 3; end 3 succeeded; claim d operator = "
      "ALREADY_RAN",
      "claim a = granted 1; end call 9 failed; claim a = FAILED_ONCE",
      "claim a = granted 1; start 1; end 1 aborted; end 1 failed; claim b = FAILED_ONCE",
  });
}

TEST(ClaimSequencesTest, AWeakIdNeedsAPaymentIdentifierEveryTime) {
  ExpectAll(
      {
          "claim a = NOT_UNIQUE; claim a named = granted 1; claim a named = again 1",
          "claim a named = granted 1; claim a = NOT_UNIQUE; claim b named = ALREADY_GRANTED",
      },
      true);
}

}  // namespace
}  // namespace tally::settlement

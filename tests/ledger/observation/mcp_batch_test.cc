#include "ledger/observation/mcp_batch.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "tests/ledger/observation/frames.h"

namespace tally::observation {
namespace {

using BatchTest = ReadTest;

TEST_F(BatchTest, EachFrameIsReadForItself) {
  const std::string bad =
      absl::StrReplaceAll(PaidCall(3), {{R"("value":"10000")", R"("value":"1e6")"}});
  const auto calls = Up(absl::StrCat("[ ", PaidCall(2), " ,7,", Call(1, ""), ",\n", bad, "]"));
  ASSERT_TRUE(calls.ok()) << calls.status();
  ASSERT_EQ(calls->events.size(), 2U);
  EXPECT_EQ(calls->events[0].subject.key, kId);
  EXPECT_EQ(calls->events[0].document->bytes, PaidCall(2));
  EXPECT_EQ(calls->events[1].subject.key, "s1 3");
  EXPECT_EQ(calls->events[1].document->bytes, bad);
  EXPECT_NE(calls->events[0].event_id, calls->events[1].event_id);
  EXPECT_FALSE(calls->has_unseen_request);

  const auto answers = Down(absl::StrCat("[", Challenge(1), ",", Challenge(2), "]"));
  ASSERT_EQ(answers->events.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<settlement::ChallengeIssued>(answers->events[0].body));
  EXPECT_TRUE(std::holds_alternative<settlement::ResponseDelivered>(answers->events[1].body));
}

TEST_F(BatchTest, AFrameWhoseRequestWasNotSeenHoldsUpNoOther) {
  ASSERT_TRUE(Up(PaidCall(2)).ok());
  const std::string answers = absl::StrCat("[", Challenge(9), ",", Challenge(2), "]");
  const Observation seen = Seen(McpFrame{"https://e/mcp", Direction::kServerToClient, answers});
  const auto first = Read(seen);
  ASSERT_EQ(first->events.size(), 1U);
  EXPECT_TRUE(first->has_unseen_request);
  ASSERT_TRUE(Up(Call(9, "")).ok());
  const auto again = Read(seen);
  ASSERT_EQ(again->events.size(), 2U);
  EXPECT_EQ(again->events[1], first->events[0]);
  EXPECT_FALSE(again->has_unseen_request);
  EXPECT_EQ(Down(absl::StrCat("[", Challenge(8), "]"))->skipped, kRequestNotSeen);
}

TEST_F(BatchTest, IsBounded) {
  EXPECT_EQ(Up("[]")->skipped, kNotAboutPayments);
  EXPECT_EQ(Up("[[]]")->skipped, kNotAboutPayments);
  std::string many = "[0";
  for (int i = 0; i < 99; ++i) many += ",0";
  EXPECT_EQ(Up(many + "]")->skipped, kNotAboutPayments);
  const absl::Status over = Up(many + ",0]").status();
  EXPECT_EQ(ReasonOf(over), Reason::kLimitExceeded);
  EXPECT_EQ(MetadataOf(over)["seen"], "a batch of 101 frames");
  const auto large = Up(absl::StrCat("[", PaidCall(2), ",\"", std::string(64 * 1024, 'x'), "\"]"));
  ASSERT_EQ(large->events.size(), 1U);
  EXPECT_EQ(large->events[0].document->bytes, "");
  EXPECT_EQ(large->events[0].document->length, PaidCall(2).size());
}

}  // namespace
}  // namespace tally::observation

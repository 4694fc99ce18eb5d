// `tally watch` and `tally events --follow`: what comes is printed as it comes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/acceptance/embedded_book.h"
#include "tests/server/tallyd_process.h"
#include "tests/support/running.h"

namespace tally::acceptance {
namespace {

using support::Ended;
using support::ParseJson;
using support::RunningTally;
using support::TestData;
using support::TextAt;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Of the labels' transcripts: paid, with the transfer in a finalised block.
constexpr char kPaidByChain[] =
    "sha256:53acb80e56a4f2459d7e87f6189d6f44ecbc08a6475b0f635c7f0e08efb837e6";
constexpr char kRunning[] =
    "sha256:85125398034781677f75b21e65aef07a7949f71394b509816fc0ec7402fbe007";

class WatchTest : public ::testing::Test {
 protected:
  std::vector<std::string> AtServer(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--server", server_.address()});
    return arguments;
  }
  void Import(const std::string& label) const {
    const Ended ended =
        support::RunTally(AtServer({"import", TestData(absl::StrCat("labels/", label, ".jsonl"))}));
    ASSERT_EQ(ended.code, 0) << ended.err;
  }

  const EmbeddedBook book_;
  server::Tallyd server_{book_.database()};
};

TEST_F(WatchTest, WaitsPrintsEachChangeAndEndsWhenTheAnswerIsFinal) {
  RunningTally watch(AtServer({"watch", kPaidByChain}));
  EXPECT_EQ(watch.ReadLine(), "NOT_RECORDED");
  Import("paid-by-chain");
  const Ended ended = watch.AwaitEnd();
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::vector<std::string> lines = absl::StrSplit(ended.out, '\n', absl::SkipEmpty());
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.back(), StartsWith(absl::StrCat("PAID  ", kPaidByChain)));
  EXPECT_THAT(lines.back(), EndsWith("(final)"));
}

TEST_F(WatchTest, JsonIsOneObjectALine) {
  Import("paid-by-chain");
  RunningTally watch(AtServer({"watch", kPaidByChain, "--output", "json"}));
  const json::Value first = ParseJson(watch.ReadLine());
  EXPECT_EQ(TextAt(first, {"state"}), "FINAL");
  EXPECT_EQ(TextAt(first, {"settlement", "label"}), "PAID");
  EXPECT_NE(TextAt(first, {"reason"}), "");
  const Ended ended = watch.AwaitEnd();
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "");
}

TEST_F(WatchTest, CsvBeginsWithTheState) {
  Import("paid-by-chain");
  const Ended ended = support::RunTally(AtServer({"watch", kPaidByChain, "--output", "csv"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, StartsWith("state,settlementId,"));
  EXPECT_THAT(ended.out, HasSubstr(absl::StrCat("\nFINAL,", kPaidByChain)));
}

TEST_F(WatchTest, ControlCEndsItCleanly) {
  Import("paid");
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningTally watch(AtServer({"watch", kRunning}));
    EXPECT_THAT(watch.ReadLine(), StartsWith("PAID  "));
    watch.Signal(signal);
    const Ended ended = watch.AwaitEnd();
    EXPECT_EQ(ended.code, 3) << "not final";
    EXPECT_EQ(ended.err, "");
  }
}

TEST_F(WatchTest, ServerThatEndsOrIsGoneIsSaid) {
  RunningTally watch(AtServer({"watch", kRunning}));
  EXPECT_EQ(watch.ReadLine(), "NOT_RECORDED");
  server_.Signal(SIGTERM);
  const Ended ended = watch.AwaitEnd();
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr("shutting down"));
  EXPECT_EQ(server_.AwaitEnd(), 0);
  EXPECT_EQ(support::RunTally(AtServer({"watch", kRunning})).code, 4);
}

TEST_F(WatchTest, FileIsNoPlaceToWaitAt) {
  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"watch", kRunning}, {"events", "--follow"}}) {
    const Ended ended = book_.Run(verb);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("--server"));
  }
}

TEST_F(WatchTest, BadKeysAreUsage) {
  EXPECT_EQ(support::RunTally(AtServer({"watch"})).code, 2);
  EXPECT_EQ(support::RunTally(AtServer({"watch", "sha256:12"})).code, 2);
}

TEST_F(WatchTest, EventsAreFollowedFromFileIntoTheFuture) {
  Import("presented");
  const std::size_t before = book_.EventCount();
  ASSERT_GT(before, 0U);
  RunningTally follow(AtServer({"events", "--follow", "--output", "json"}));
  for (std::size_t position = 1; position <= before; ++position) {
    const json::Value event = ParseJson(follow.ReadLine());
    EXPECT_EQ(event.Find("position")->number()->text, absl::StrCat(position));
  }
  Import("verified");
  const json::Value next = ParseJson(follow.ReadLine());
  EXPECT_EQ(next.Find("position")->number()->text, absl::StrCat(before + 1));
  follow.Signal(SIGINT);
  EXPECT_EQ(follow.AwaitEnd().code, 0);

  const Ended some = support::RunTally(
      AtServer({"events", "--follow", "--after", "1", "--limit", "2", "--output", "csv"}));
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_THAT(some.out, HasSubstr("\n2,"));
  EXPECT_THAT(some.out, HasSubstr("\n3,"));
  EXPECT_THAT(some.out, ::testing::Not(HasSubstr("\n4,")));
}

TEST_F(WatchTest, FollowingSaysWhereToGoOn) {
  Import("presented");
  RunningTally follow(AtServer({"events", "--follow"}));
  follow.ReadLine();
  server_.Signal(SIGTERM);
  const Ended ended = follow.AwaitEnd();
  EXPECT_EQ(ended.code, 4);
  EXPECT_THAT(ended.err, HasSubstr(absl::StrCat("--after ", book_.EventCount())));
}

}  // namespace
}  // namespace tally::acceptance

// WatchSettlement: the answer now, and each time it changes.
#include <gmock/gmock.h>

#include "ledger/base/error.h"
#include "ledger/service/settlement_streams.h"
#include "tests/ledger/service/fixture.h"
#include "tests/ledger/service/pulling.h"
#include "tests/support/events.h"

namespace tally::service {
namespace {

using support::Payment;
using support::Presented;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Response = v1::WatchSettlementResponse;

class WatchTest : public ::testing::Test {
 protected:
  WatchTest() {
    services_.Create("book", v1::LEDGER_ROLE_SELLER);
    services_.clock.now = support::At(0);
  }

  void Append(std::vector<settlement::Event> events) {
    const auto receipts = store::AppendAndWait(services_.store, "book", std::move(events));
    ASSERT_TRUE(receipts.ok()) << receipts.status();
  }
  void Begin(const std::string& any, Pulling<Response>& out) {
    v1::WatchSettlementRequest request;
    request.set_ledger("book");
    request.mutable_key()->set_any(any);
    out.Start(streams_.WatchSettlement(request, out.MakeWake()));
  }
  // The labels of what is pulled; NOT_RECORDED and DRAINING as they are.
  static std::vector<std::string> LabelsOf(const std::vector<Response>& responses) {
    std::vector<std::string> labels;
    for (const Response& response : responses) {
      labels.push_back(response.has_settlement() ? LabelOf(response.settlement())
                                                 : v1::WatchState_Name(response.state()));
    }
    return labels;
  }

  Services services_;
  SettlementStreams streams_{services_.store, services_.clock, RunAtOnce};
};

TEST_F(WatchTest, AnswersNowAndWhenAnEventChangesIt) {
  Append({Presented("a", 1, 0)});
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  const std::vector<Response> first = watch.PullAll();
  EXPECT_THAT(LabelsOf(first), ElementsAre("PRESENTED"));
  EXPECT_EQ(first[0].state(), v1::WATCH_STATE_OPEN);
  EXPECT_EQ(first[0].settlement().version(), 1);

  Append({support::Verified("b", 1, 1, 1)});
  EXPECT_TRUE(watch.woken());
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("VERIFIED"));
  Append({support::Started("c", 1, 2)});
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("RUNNING"));
}

TEST_F(WatchTest, IsNotWokenByWhatHasNothingToDoWithIt) {
  Append({Presented("a", 1, 0)});
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  watch.PullAll();
  for (int n = 2; n < 20; ++n) {
    Append({Presented(absl::StrCat("p", n), n, n, 1, 0, "another session"),
            support::Settled(absl::StrCat("s", n), n, n, 2)});
  }
  EXPECT_FALSE(watch.woken());
  EXPECT_THAT(watch.PullAll(), IsEmpty());
}

TEST_F(WatchTest, WaitsForWhatIsNotRecordedYet) {
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  const std::vector<Response> first = watch.PullAll();
  EXPECT_THAT(LabelsOf(first), ElementsAre("WATCH_STATE_NOT_RECORDED"));
  EXPECT_EQ(watch.until(), absl::InfiniteFuture());
  Append({Presented("b", 2, 1)});
  EXPECT_FALSE(watch.woken());
  Append({Presented("a", 1, 0)});
  EXPECT_TRUE(watch.woken());
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("PRESENTED"));
}

TEST_F(WatchTest, AnAliasIsWaitedForToo) {
  Pulling<Response> watch;
  Begin(absl::StrFormat("0x%064x", 1001), watch);  // the tx of Settled(…, 1, …)
  watch.PullAll();
  Append({Presented("a", 1, 0)});
  EXPECT_FALSE(watch.woken());
  Append({support::Settled("b", 1, 1, 2)});
  EXPECT_TRUE(watch.woken());
  const std::vector<Response> all = watch.PullAll();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].settlement().settlement_id(), Payment(1).key);
}

TEST_F(WatchTest, TheClockAloneChangesIt) {
  settlement::Event started = support::Started("b", 1, 1);
  std::get<settlement::ExecutionStarted>(started.body).lease_until = support::At(30);
  Append({Presented("a", 1, 0), started});
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("RUNNING"));
  EXPECT_EQ(watch.until(), support::At(30));
  services_.clock.now = support::At(29);
  EXPECT_THAT(watch.PullAll(), IsEmpty());
  EXPECT_EQ(watch.until(), support::At(30));
  services_.clock.now = support::At(30);
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("RUN_UNKNOWN"));
}

TEST_F(WatchTest, NeighboursChangeIt) {
  Append({Presented("a", 1, 1, 0), support::Verified("b", 1, 1, 1)});
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("VERIFIED"));
  // Other terms with standing in its slot.
  Append({support::Verified("c", 2, 1, 2)});
  EXPECT_TRUE(watch.woken());
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("CONFLICT"));
  // A fact about the slot itself.
  Append({support::SlotUsed("d", 1, 3)});
  EXPECT_TRUE(watch.woken());
  EXPECT_THAT(watch.PullAll(), SizeIs(1));
}

TEST_F(WatchTest, EndsWithAnAdjustingEntry) {
  Append({Presented("a", 1, 0)});
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  watch.PullAll();
  EXPECT_FALSE(watch.end().has_value());
  settlement::SettlementResolved resolved;
  resolved.resolution = settlement::Resolution::kWrittenOff;
  resolved.reason = "a test";
  resolved.closes_version = 1;
  Append({support::MakeEvent("z", Payment(1), 5, resolved)});
  const std::vector<Response> all = watch.PullAll();
  EXPECT_THAT(LabelsOf(all), ElementsAre("CLOSED"));
  EXPECT_EQ(all[0].state(), v1::WATCH_STATE_FINAL);
  EXPECT_EQ(watch.end(), absl::OkStatus());
}

TEST_F(WatchTest, SaysThatTheServerEnds) {
  Pulling<Response> watch;
  Begin(Payment(1).key, watch);
  watch.PullAll();
  watch.stream().Drain();
  EXPECT_THAT(LabelsOf(watch.PullAll()), ElementsAre("WATCH_STATE_DRAINING"));
  EXPECT_EQ(watch.end(), absl::OkStatus());
}

TEST_F(WatchTest, BadKeysEndIt) {
  Pulling<Response> watch;
  Begin("sha256:12", watch);
  EXPECT_THAT(watch.PullAll(), IsEmpty());
  EXPECT_EQ(ReasonOf(*watch.end()), Reason::kFieldMalformed);

  Append({support::Settled("a", 1, 1, 2), support::Settled("b", 2, 2, 2)});
  settlement::Event same = support::Settled("c", 2, 2, 3);
  std::get<settlement::SettlementAnswered>(same.body).reading.chain_tx =
      absl::StrFormat("0x%064x", 1001);
  Append({same});
  Pulling<Response> ambiguous;
  Begin(absl::StrFormat("0x%064x", 1001), ambiguous);
  EXPECT_THAT(ambiguous.PullAll(), IsEmpty());
  EXPECT_EQ(ReasonOf(*ambiguous.end()), Reason::kAliasAmbiguous);

  v1::WatchSettlementRequest request;
  request.set_ledger("none");
  EXPECT_EQ(ReasonOf(streams_.WatchSettlement(request, [] {}).status()), Reason::kLedgerNotFound);
}

TEST_F(WatchTest, OnceFoundItIsTheSettlementWhoeverUsesItsAliases) {
  Append({Presented("a", 1, 0), support::Settled("b", 1, 1, 2)});
  Pulling<Response> watch;
  Begin(absl::StrFormat("0x%064x", 1001), watch);
  EXPECT_THAT(watch.PullAll(), SizeIs(1));
  settlement::Event same = support::Settled("c", 2, 2, 3);
  std::get<settlement::SettlementAnswered>(same.body).reading.chain_tx =
      absl::StrFormat("0x%064x", 1001);
  Append({same});
  watch.PullAll();
  EXPECT_FALSE(watch.end().has_value());
}

}  // namespace
}  // namespace tally::service

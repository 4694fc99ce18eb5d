// Observing, recording and claiming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/service/transcript_reader.h"
#include "tests/ledger/service/fixture.h"

namespace tally::service {
namespace {

constexpr char kDigest[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

class WriteTest : public testing::Test {
 protected:
  WriteTest() { services_.Create("seller", v1::LEDGER_ROLE_SELLER); }

  static std::vector<std::string> Settled() {
    return ReadTestLines("transcripts/settled.seller.jsonl");
  }
  static v1::ObserveRequest RequestOf(const std::vector<std::string>& lines) {
    v1::ObserveRequest request;
    request.set_source(v1::SOURCE_KIND_TAP);
    TranscriptReader reader;
    for (const std::string& line : lines) {
      auto read = reader.Read(line);
      EXPECT_TRUE(read.ok()) << read.status();
      auto* observation = std::get_if<v1::Observation>(&*read);
      if (observation != nullptr) *request.add_observations() = *observation;
    }
    return request;
  }
  static std::string FieldOf(const absl::Status& status) {
    const auto metadata = MetadataOf(status);
    const auto found = metadata.find("field");
    return found == metadata.end() ? "" : found->second;
  }

  Services services_;
};

TEST_F(WriteTest, ObservationsStandEachForItself) {
  v1::ObserveRequest request = RequestOf(Settled());
  v1::Observation broken = request.observations(0);
  broken.set_observation_id("broken");
  broken.mutable_mcp_frame()->set_message("{");
  *request.add_observations() = broken;
  broken.mutable_mcp_frame()->set_direction(v1::DIRECTION_UNSPECIFIED);
  *request.add_observations() = broken;
  const auto response = services_.Observe(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const int count = response->results_size();
  EXPECT_EQ(response->results(count - 2).rejected().reason(), "DOCUMENT_MALFORMED");
  EXPECT_EQ(response->results(count - 1).rejected().reason(), "ENUM_UNSPECIFIED");
  EXPECT_EQ(response->results(count - 1).rejected().field(), "mcp_frame.direction");
  EXPECT_TRUE(response->results(1).has_recorded());
  EXPECT_EQ(response->results(1).recorded().receipts(0).event_type(), "ChallengeIssued");
}

TEST_F(WriteTest, ReusedObservationIdRefusesOnlyItself) {
  v1::ObserveRequest request = RequestOf(Settled());
  ASSERT_TRUE(services_.Observe(RequestOf({Settled()[0], Settled()[1], Settled()[2]})).ok());
  protocol::ToProto(absl::FromUnixSeconds(1),
                    request.mutable_observations(1)->mutable_observed_time());
  const auto response = services_.Observe(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const v1::ObservationRejected& rejected = response->results(1).rejected();
  EXPECT_EQ(rejected.reason(), "EVENT_ID_REUSED");
  EXPECT_EQ(rejected.field(), "observation_id");
  EXPECT_THAT(rejected.seen(), testing::StartsWith("content of sha256 "));
  EXPECT_THAT(rejected.wanted(), testing::StartsWith("content of sha256 "));
  EXPECT_NE(rejected.seen().substr(18, 64), rejected.wanted().substr(18, 64));
  for (int i = 2; i < response->results_size(); ++i) {
    EXPECT_FALSE(response->results(i).has_rejected()) << i;
  }
}

TEST_F(WriteTest, RequestsBeforeARestartAreFoundInTheLedger) {
  const std::vector<std::string> lines = Settled();
  services_.Import("seller", {lines.begin(), lines.begin() + 9});
  CountedIds ids;
  LedgerService restarted(services_.store, ids);
  v1::ObserveRequest request = RequestOf(lines);
  while (request.observations_size() > 2) {
    request.mutable_observations()->DeleteSubrange(0, 1);
  }
  absl::StatusOr<v1::ObserveResponse> response;
  restarted.Observe({"tester"}, request, [&](auto r) { response = std::move(r); });
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->results(0).recorded().receipts(0).event_type(), "SettlementAnswered");
  EXPECT_EQ(response->results(1).recorded().receipts(0).event_type(), "ResponseDelivered");
}

TEST_F(WriteTest, LinesOutOfOrderFindEachOtherInOneRequest) {
  v1::ObserveRequest request = RequestOf(Settled());
  request.mutable_observations()->SwapElements(2, request.observations_size() - 1);
  const auto response = services_.Observe(request);
  ASSERT_TRUE(response.ok());
  for (const v1::ObservationResult& result : response->results()) {
    EXPECT_FALSE(IsRequestNotSeen(result));
  }
}

TEST_F(WriteTest, RequestsAreChecked) {
  v1::ObserveRequest request;
  EXPECT_EQ(ReasonOf(services_.Observe(request).status()), Reason::kEnumUnspecified);
  request.set_source(v1::SOURCE_KIND_API);
  EXPECT_EQ(ReasonOf(services_.Observe(request).status()), Reason::kFieldMissing);
  request = RequestOf(Settled());
  request.set_ledger("nobody");
  EXPECT_EQ(ReasonOf(services_.Observe(request).status()), Reason::kLedgerNotFound);
  services_.Create("other", v1::LEDGER_ROLE_BUYER);
  request.clear_ledger();
  EXPECT_EQ(ReasonOf(services_.Observe(request).status()), Reason::kLedgerAmbiguous);
}

std::string PaymentOf(const std::string& line) {
  const std::string head = "\"x402/payment\":";
  const std::size_t begin = line.find(head) + head.size();
  return line.substr(begin, line.rfind("}}},\"jsonrpc\"") + 1 - begin);
}

TEST_F(WriteTest, EventTakesItsIdFromItsDocument) {
  v1::RecordEventsRequest request;
  v1::Event* event = request.add_events();
  event->set_event_id("e1");
  event->set_source(v1::SOURCE_KIND_API);
  protocol::ToProto(absl::FromUnixSeconds(1796059200), event->mutable_occurred_time());
  event->mutable_body()->mutable_payment_presented();
  event->set_payment_document(PaymentOf(Settled()[3]));
  const auto response = services_.Record(request);
  ASSERT_TRUE(response.ok()) << response.status();
  const std::string id = response->receipts(0).subject().settlement_id();
  EXPECT_EQ(services_.Get("seller", id)->amount(), "10000");
  EXPECT_TRUE(services_.Record(request)->receipts(0).is_replayed());

  event->set_event_id("e2");
  event->mutable_subject()->set_settlement_id("sha256:" + std::string(64, '0'));
  const auto mismatch = services_.Record(request);
  EXPECT_EQ(ReasonOf(mismatch.status()), Reason::kIdMismatch);
  EXPECT_EQ(FieldOf(mismatch.status()), "events[0].subject");
  event->clear_subject();
  event->set_payment_document("{}");
  EXPECT_EQ(ReasonOf(services_.Record(request).status()), Reason::kDocumentMalformed);
  EXPECT_EQ(services_.LastPosition("seller"), 1);
}

TEST_F(WriteTest, BadEventNamesItsPlaceAndNothingIsStored) {
  v1::RecordEventsRequest request;
  v1::Event* good = request.add_events();
  good->set_event_id("e1");
  good->set_source(v1::SOURCE_KIND_API);
  protocol::ToProto(absl::FromUnixSeconds(1), good->mutable_occurred_time());
  good->mutable_subject()->set_settlement_id("sha256:" + std::string(64, 'a'));
  good->mutable_body()->mutable_payment_released()->set_reason("r");
  *request.add_events() = *good;
  request.mutable_events(1)->set_event_id("e2");
  request.mutable_events(1)->set_source(v1::SOURCE_KIND_UNSPECIFIED);
  const auto response = services_.Record(request);
  EXPECT_EQ(ReasonOf(response.status()), Reason::kEnumUnspecified);
  EXPECT_EQ(FieldOf(response.status()), "events[1].source");
  EXPECT_EQ(services_.LastPosition("seller"), 0);
}

v1::ClaimExecutionRequest ClaimOf(const std::string& document) {
  v1::ClaimExecutionRequest request;
  request.set_payment_document(document);
  request.mutable_resource()->set_endpoint("HTTPS://tools.example/mcp/");
  request.mutable_resource()->set_tool("square");
  request.set_arguments_sha256(kDigest);
  request.set_request_id("r1");
  return request;
}

TEST_F(WriteTest, ClaimIsGrantedOnceAndARetryGetsTheSameGrant) {
  v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(Settled()[3]));
  const auto first = services_.Claim(request);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(first->has_granted());
  EXPECT_EQ(first->granted().execution_id(), "exe_1");
  EXPECT_FALSE(first->granted().is_replayed());
  const auto again = services_.Claim(request);
  EXPECT_EQ(again->granted().execution_id(), "exe_1");
  EXPECT_TRUE(again->granted().is_replayed());
  request.set_request_id("r2");
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
  request.mutable_resource()->set_tool("cube");
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_OTHER_REQUEST);
  EXPECT_EQ(services_.LastPosition("seller"), 1);
}

TEST_F(WriteTest, ARepeatOfAClaimComesFromTheCallerOfTheFirst) {
  const v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(Settled()[3]));
  ASSERT_TRUE(services_.Claim(request)->has_granted());
  absl::StatusOr<v1::ClaimExecutionResponse> other;
  services_.ledgers.ClaimExecution({"another"}, request, [&](auto r) { other = std::move(r); });
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
  EXPECT_EQ(services_.Claim(request)->granted().execution_id(), "exe_1");
}

TEST_F(WriteTest, AGrantWhoseLeaseIsOverIsNotRepeated) {
  const v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(Settled()[3]));
  ASSERT_TRUE(services_.Claim(request)->has_granted());
  services_.clock.now += absl::Minutes(5);
  const auto late = services_.Claim(request);
  EXPECT_EQ(late->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
  EXPECT_EQ(late->refused().holder_execution_id(), "exe_1");
}

// A mark of the call with id 2, with the execution it names.
v1::ObserveRequest MarkOf(const std::string& id, int second, const std::string& execution_id,
                          v1::ExecutionOutcome outcome = v1::EXECUTION_OUTCOME_UNSPECIFIED) {
  v1::ObserveRequest request;
  request.set_source(v1::SOURCE_KIND_HOOK);
  v1::Observation* observation = request.add_observations();
  observation->set_observation_id(id);
  protocol::ToProto(absl::FromUnixSeconds(1796059200 + second),
                    observation->mutable_observed_time());
  observation->set_session("x402-mcp-settled");
  v1::ExecutionMark* mark = observation->mutable_execution_mark();
  const bool is_finished = outcome != v1::EXECUTION_OUTCOME_UNSPECIFIED;
  mark->set_event(is_finished ? v1::EXECUTION_MARK_KIND_FINISHED : v1::EXECUTION_MARK_KIND_STARTED);
  mark->set_request_id("2");
  mark->set_tool("square");
  mark->set_execution_id(execution_id);
  mark->set_outcome(outcome);
  return request;
}

TEST_F(WriteTest, AnAbortedClaimIsGrantedAnewAndAStartUnderTheOldOneIsSeen) {
  const std::vector<std::string> lines = Settled();
  services_.Import("seller", {lines.begin(), lines.begin() + 4});
  v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(lines[3]));
  // The arguments of the frame.
  request.set_arguments_sha256("1dd42de9287c1b6a96c617376c0df6b8304485783ed0b4803f1aac0f119471a5");
  const auto first = services_.Claim(request);
  ASSERT_TRUE(first->has_granted()) << first->refused().reason();
  const std::string id = first->settlement_id();
  ASSERT_TRUE(services_.Observe(MarkOf("m1", 1, "exe_1")).ok());
  ASSERT_TRUE(services_.Observe(MarkOf("m2", 2, "exe_1", v1::EXECUTION_OUTCOME_ABORTED)).ok());
  const auto anew = services_.Claim(request);
  EXPECT_FALSE(anew->granted().is_replayed());
  EXPECT_EQ(anew->granted().execution_id(), "exe_2");
  EXPECT_EQ(anew->granted().fence(), 2);
  ASSERT_TRUE(services_.Observe(MarkOf("m3", 3, "exe_1")).ok());
  EXPECT_EQ(LabelOf(*services_.Get("seller", id, absl::FromUnixSeconds(1796059204))), "RUNNING");
  request.set_request_id("another");
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
}

TEST_F(WriteTest, MarksThatNameNoExecutionStandAgainstTheRepeatToo) {
  const std::vector<std::string> lines = Settled();
  services_.Import("seller", {lines.begin(), lines.begin() + 4});
  v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(lines[3]));
  ASSERT_TRUE(services_.Claim(request)->has_granted());
  services_.Import("seller", lines);
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_RAN);
}

TEST_F(WriteTest, AClaimedRunIsOnFileThoughItsCallWasNotRecorded) {
  const v1::ClaimExecutionRequest request = ClaimOf(PaymentOf(Settled()[3]));
  ASSERT_TRUE(services_.Claim(request)->has_granted());
  EXPECT_EQ(services_.Observe(MarkOf("m1", 1, "exe_of_nobody"))->results(0).skipped().reason(),
            "its request was not seen");
  const auto marked = services_.Observe(MarkOf("m2", 1, "exe_1"));
  ASSERT_TRUE(marked->results(0).has_recorded()) << marked->DebugString();
  EXPECT_EQ(marked->results(0).recorded().receipts(0).subject().settlement_id(),
            services_.Claim(request)->settlement_id());
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
}

TEST_F(WriteTest, OfTwoPaymentsWithOneNonceOneIsGranted) {
  const std::string document = PaymentOf(Settled()[3]);
  const std::string dearer =
      absl::StrReplaceAll(document, {{R"("value":"10000")", R"("value":"20000")"}});
  const auto first = services_.Claim(ClaimOf(document));
  ASSERT_TRUE(first->has_granted());
  const auto second = services_.Claim(ClaimOf(dearer));
  EXPECT_NE(second->settlement_id(), first->settlement_id());
  EXPECT_EQ(second->refused().refusal(), v1::CLAIM_REFUSAL_ALREADY_GRANTED);
  EXPECT_EQ(second->refused().holder_execution_id(), "exe_1");
}

TEST_F(WriteTest, WeakIdNeedsAPaymentIdentifier) {
  const std::string weak =
      R"({"x402Version":2,"accepted":{"scheme":"deferred","network":"eip155:8453"},)"
      R"("payload":{"voucher":"v"}})";
  v1::ClaimExecutionRequest request = ClaimOf(weak);
  EXPECT_EQ(services_.Claim(request)->refused().refusal(), v1::CLAIM_REFUSAL_NOT_UNIQUE);
  request.set_purchase_id("pay_1");
  EXPECT_TRUE(services_.Claim(request)->has_granted());
}

TEST_F(WriteTest, BadClaimsAreRefusedByField) {
  const v1::ClaimExecutionRequest good = ClaimOf(PaymentOf(Settled()[3]));
  const auto field = [&](auto change) {
    v1::ClaimExecutionRequest request = good;
    change(request);
    return FieldOf(services_.Claim(request).status());
  };
  EXPECT_EQ(field([](auto& r) { r.clear_request_id(); }), "request_id");
  EXPECT_EQ(field([](auto& r) { r.clear_resource(); }), "resource.tool");
  EXPECT_EQ(field([](auto& r) { r.set_arguments_sha256("12"); }), "arguments_sha256");
  EXPECT_EQ(field([](auto& r) { r.mutable_lease()->set_seconds(-1); }), "lease");
  EXPECT_EQ(field([](auto& r) { r.mutable_lease()->set_seconds(90000); }), "lease");
  EXPECT_EQ(field([](auto& r) { r.clear_payment_document(); }), "settlement_id");
  EXPECT_EQ(field([](auto& r) { r.set_settlement_id("sha256:" + std::string(64, '1')); }),
            "settlement_id");
}

}  // namespace
}  // namespace tally::service

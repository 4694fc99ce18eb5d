#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "ledger/base/error.h"
#include "ledger/protocol/event_codec.h"
#include "tests/ledger/protocol/samples.h"

namespace tally::protocol {
namespace {

struct Case {
  std::size_t body;  // index in Body
  std::function<void(v1::Event&)> spoil;
  Reason reason;
  std::string field;
};

std::vector<Case> Cases() {
  using enum Reason;
  return {
      {0, [](v1::Event& e) { e.clear_event_id(); }, kFieldMissing, "event_id"},
      {0, [](v1::Event& e) { e.set_event_id(std::string(257, 'x')); }, kLimitExceeded, "event_id"},
      {0, [](v1::Event& e) { e.clear_subject(); }, kFieldMissing, "subject"},
      {0, [](v1::Event& e) { e.mutable_subject()->Clear(); }, kFieldMissing, "subject"},
      {0, [](v1::Event& e) { e.mutable_subject()->set_settlement_id("sha256:AA"); },
       kFieldMalformed, "subject.settlement_id"},
      {0, [](v1::Event& e) { e.mutable_subject()->set_challenge_id("chl_1"); }, kFieldMalformed,
       "subject.challenge_id"},
      {0, [](v1::Event& e) { e.mutable_subject()->set_slot(""); }, kFieldMissing, "subject.slot"},
      {0, [](v1::Event& e) { e.mutable_subject()->mutable_call()->set_session("s"); },
       kFieldMissing, "subject.call.request_id"},
      {0, [](v1::Event& e) { e.clear_occurred_time(); }, kFieldMissing, "occurred_time"},
      {0, [](v1::Event& e) { e.mutable_occurred_time()->set_nanos(-1); }, kFieldMalformed,
       "occurred_time"},
      {0, [](v1::Event& e) { e.clear_source(); }, kEnumUnspecified, "source"},
      {0, [](v1::Event& e) { e.set_source(static_cast<v1::SourceKind>(99)); }, kEnumUnspecified,
       "source"},
      {0, [](v1::Event& e) { e.clear_body(); }, kFieldMissing, "body"},
      {0, [](v1::Event& e) { e.mutable_document()->set_sha256(std::string(64, '0')); },
       kFieldMalformed, "document.sha256"},
      {0, [](v1::Event& e) { e.mutable_document()->set_length(1); }, kFieldMalformed,
       "document.length"},
      {0, [](v1::Event& e) { e.set_payment_document(std::string(65 * 1024, ' ')); }, kLimitExceeded,
       "payment_document"},
      {0,
       [](v1::Event& e) {
         e.mutable_body()->mutable_challenge_issued()->set_error_text(
             std::string(settlement::kEventBytesMax, ' '));
       },
       kLimitExceeded, "event"},
      {0,
       [](v1::Event& e) {
         e.mutable_body()->mutable_challenge_issued()->mutable_offers(0)->set_amount("01");
       },
       kFieldMalformed, "body.challenge_issued.offers[0].amount"},
      {0,
       [](v1::Event& e) {
         e.mutable_body()->mutable_challenge_issued()->mutable_offers(1)->clear_flow();
       },
       kEnumUnspecified, "body.challenge_issued.offers[1].flow"},
      {0,
       [](v1::Event& e) {
         auto* body = e.mutable_body()->mutable_challenge_issued();
         for (int i = 0; i < 100; ++i) *body->add_offers() = body->offers(0);
       },
       kLimitExceeded, "body.challenge_issued.offers"},
      {0, [](v1::Event& e) { e.mutable_body()->mutable_challenge_issued()->clear_x402_version(); },
       kFieldMalformed, "body.challenge_issued.x402_version"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->mutable_terms()->set_amount(
             "115792089237316195423570985008687907853269984665640564039457584007913129639936");
       },
       kFieldMalformed, "body.payment_presented.terms.amount"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->mutable_terms()->set_payer("0x12");
       },
       kFieldMalformed, "body.payment_presented.terms.payer"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->mutable_terms()->set_network("base");
       },
       kFieldMalformed, "body.payment_presented.terms.network"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->mutable_call()->set_session("a b");
       },
       kFieldMalformed, "body.payment_presented.call.session"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->mutable_call()->set_request_id("two");
       },
       kFieldMalformed, "body.payment_presented.call.request_id"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->clear_terms();
         e.mutable_body()->mutable_payment_presented()->clear_unreadable_reason();
       },
       kFieldMissing, "body.payment_presented.terms"},
      {1,
       [](v1::Event& e) {
         e.mutable_body()->mutable_payment_presented()->set_arguments_sha256("AB");
       },
       kFieldMalformed, "body.payment_presented.arguments_sha256"},
      {2, [](v1::Event& e) { e.mutable_body()->mutable_verification_completed()->clear_outcome(); },
       kEnumUnspecified, "body.verification_completed.outcome"},
      {4, [](v1::Event&) {}, kFieldMalformed, "body.execution_claimed"},
      {8, [](v1::Event& e) { e.mutable_body()->mutable_settlement_answered()->clear_reading(); },
       kFieldMissing, "body.settlement_answered.reading"},
      {10, [](v1::Event& e) { e.mutable_body()->mutable_chain_observed()->clear_network(); },
       kFieldMissing, "body.chain_observed.network"},
      {10, [](v1::Event& e) { e.mutable_body()->mutable_chain_observed()->set_chain_tx("0x1"); },
       kFieldMalformed, "body.chain_observed.chain_tx"},
      {10, [](v1::Event& e) { e.mutable_body()->mutable_chain_observed()->set_log_index(-1); },
       kFieldMalformed, "body.chain_observed.log_index"},
      {13, [](v1::Event& e) { e.mutable_body()->mutable_task_status_observed()->clear_task_id(); },
       kFieldMissing, "body.task_status_observed.task_id"},
      {15,
       [](v1::Event& e) {
         e.mutable_body()->mutable_settlement_resolved()->clear_closes_version();
       },
       kFieldMalformed, "body.settlement_resolved.closes_version"},
  };
}

TEST(ValidationTest, NamesTheFieldAndTheReason) {
  const std::vector<settlement::Event> events = SampleEvents();
  for (const Case& row : Cases()) {
    v1::Event wire;
    ToProto(events[row.body], &wire);
    row.spoil(wire);
    const absl::StatusOr<settlement::Event> event = FromProto(wire);
    ASSERT_FALSE(event.ok()) << row.field;
    EXPECT_EQ(ReasonOf(event.status()), row.reason) << event.status().message();
    EXPECT_EQ(MetadataOf(event.status())["field"], row.field) << event.status().message();
  }
}

TEST(ValidationTest, AddressesAreLoweredAndEndpointsNormalised) {
  v1::Event wire;
  ToProto(SampleEvents()[1], &wire);
  auto* body = wire.mutable_body()->mutable_payment_presented();
  body->mutable_terms()->set_payer("0x" + std::string(40, 'A'));
  body->mutable_resource()->set_endpoint("HTTPS://Mcp.Example.com:443/mcp/");
  const absl::StatusOr<settlement::Event> event = FromProto(wire);
  ASSERT_TRUE(event.ok()) << event.status().message();
  const auto& presented = std::get<settlement::PaymentPresented>(event->body);
  EXPECT_EQ(presented.terms->payer, "0x" + std::string(40, 'a'));
  EXPECT_EQ(presented.resource.endpoint, "https://mcp.example.com/mcp");
}

TEST(ValidationTest, PaymentDocumentStandsInForSubjectAndTerms) {
  v1::Event wire;
  ToProto(SampleEvents()[1], &wire);
  wire.clear_subject();
  wire.set_payment_document("{}");
  wire.mutable_body()->mutable_payment_presented()->clear_terms();
  wire.mutable_body()->mutable_payment_presented()->clear_unreadable_reason();
  const absl::StatusOr<settlement::Event> event = FromProto(wire);
  ASSERT_TRUE(event.ok()) << event.status().message();
  EXPECT_TRUE(event->subject.key.empty());
}

TEST(ValidationTest, LongDocumentKeepsDigestAndLength) {
  v1::Event wire;
  ToProto(SampleEvents()[0], &wire);
  wire.mutable_document()->Clear();
  wire.mutable_document()->set_content(std::string(70'000, 'x'));
  const absl::StatusOr<settlement::Event> event = FromProto(wire);
  ASSERT_TRUE(event.ok()) << event.status().message();
  EXPECT_TRUE(event->document->bytes.empty());
  EXPECT_EQ(event->document->length, 70'000U);
  EXPECT_EQ(event->document->sha256.size(), 64U);
}

}  // namespace
}  // namespace tally::protocol

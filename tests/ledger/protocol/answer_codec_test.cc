#include "ledger/protocol/answer_codec.h"

#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/protocol/answer_enums.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/settlement/names.h"
#include "tests/support/claim_refusals.h"

namespace tally::protocol {
namespace {

template <typename Domain>
class EnumTableTest : public testing::Test {};
using Enums = testing::Types<
    settlement::LedgerRole, settlement::SubjectKind, settlement::SourceKind,
    settlement::PaymentFlow, settlement::SettleOutcome, settlement::ReasonClass,
    settlement::VerificationOutcome, settlement::PreflightOutcome, settlement::ExecutionOutcome,
    settlement::SettlementPhase, settlement::ChainFact, settlement::Finality, settlement::Remedy,
    settlement::Resolution, settlement::Presentation, settlement::Execution, settlement::Settlement,
    settlement::Liveness, settlement::Delivery, settlement::Label, settlement::Advice,
    settlement::Anomaly, settlement::Word, settlement::ClaimRefusal>;
TYPED_TEST_SUITE(EnumTableTest, Enums);

TYPED_TEST(EnumTableTest, IsOneToOneAndWhole) {
  using Proto = decltype(ToProto(TypeParam{}));
  const auto* descriptor = google::protobuf::GetEnumDescriptor<Proto>();
  EXPECT_EQ(kEnumTable<TypeParam>.size() + 1, static_cast<std::size_t>(descriptor->value_count()));
  for (const auto& row : kEnumTable<TypeParam>) {
    EXPECT_EQ(FromProto<TypeParam>(row.proto), row.domain);
  }
  EXPECT_EQ(FromProto<TypeParam>(static_cast<Proto>(0)), std::nullopt);
  EXPECT_EQ(FromProto<TypeParam>(static_cast<Proto>(99)), std::nullopt);
}

template <typename Domain>
void ExpectSameNames(const std::string& prefix) {
  for (const auto& row : kEnumTable<Domain>) {
    const auto* descriptor = google::protobuf::GetEnumDescriptor<decltype(row.proto)>();
    EXPECT_EQ(descriptor->FindValueByNumber(row.proto)->name(),
              absl::StrCat(prefix, settlement::NameOf(row.domain)));
  }
}

TEST(EnumTableTest, NamesAreTheDomainsNames) {
  ExpectSameNames<settlement::Presentation>("PRESENTATION_STATE_");
  ExpectSameNames<settlement::Execution>("EXECUTION_STATE_");
  ExpectSameNames<settlement::Settlement>("SETTLEMENT_STATE_");
  ExpectSameNames<settlement::Liveness>("LIVENESS_STATE_");
  ExpectSameNames<settlement::Delivery>("DELIVERY_STATE_");
  ExpectSameNames<settlement::Label>("LABEL_");
  ExpectSameNames<settlement::Advice>("ADVICE_");
  ExpectSameNames<settlement::Anomaly>("ANOMALY_");
  ExpectSameNames<settlement::Word>("WORD_");
  ExpectSameNames<settlement::ClaimRefusal>("CLAIM_REFUSAL_");
}

TEST(AnswerCodecTest, CarriesEveryField) {
  const absl::Time time = absl::FromUnixMicros(1'750'000'000'000'001);
  settlement::Answer answer;
  answer.axes.execution = {settlement::Execution::kSucceeded,
                           {settlement::Word::kRecorder, 7, time}};
  answer.label = settlement::Label::kRanUnpaid;
  answer.seller_advice = settlement::Advice::kSettleSamePayload;
  answer.buyer_advice = settlement::Advice::kDoNotCallAgain;
  answer.reason = "It ran and every attempt failed.";
  answer.may_pay_again = true;
  answer.may_call_again = true;
  answer.retry_after = time;
  answer.decidable_at = time;
  answer.exposed_until = time;
  answer.chain_lookup = {.network = "eip155:8453",
                         .contract = "0x1",
                         .method = "authorizationState(address,bytes32)",
                         .arguments = {"0x2", "0x3"},
                         .bit = 0,
                         .logs = {"0x8", {"E()"}, {{"0x9", "0xa"}, {"0xb"}}},
                         .after = time};
  answer.anomalies = {settlement::Anomaly::kServedUnpaid, settlement::Anomaly::kDuplicateKeys};
  answer.settlement_id = "sha256:1";
  answer.challenge_id = "chl_1";
  answer.purchase_id = "p";
  answer.resource = {"https://e", "t"};
  answer.scheme = "exact";
  answer.amount = "10000";
  answer.asset = "0x4";
  answer.network = "eip155:8453";
  answer.payer = "0x5";
  answer.pay_to = "0x6";
  answer.chain_tx = "0x7";
  answer.version = 9;
  answer.first_time = time;
  answer.last_time = time;

  v1::Settlement wire;
  ToProto(answer, &wire);
  const auto* descriptor = wire.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* field = descriptor->field(i);
    if (field->name() == "subject" || field->name() == "timeline") continue;
    const bool is_set = field->is_repeated() ? wire.GetReflection()->FieldSize(wire, field) > 0
                                             : wire.GetReflection()->HasField(wire, field);
    EXPECT_TRUE(is_set) << field->name();
  }
  EXPECT_EQ(wire.label(), v1::LABEL_RAN_UNPAID);
  EXPECT_EQ(wire.axes().execution().value(), v1::EXECUTION_STATE_SUCCEEDED);
  EXPECT_EQ(wire.axes().execution().anchor().word(), v1::WORD_RECORDER);
  EXPECT_EQ(wire.axes().execution().anchor().position(), 7);
  EXPECT_EQ(wire.axes().presentation().value(), v1::PRESENTATION_STATE_NONE);
  EXPECT_FALSE(wire.axes().presentation().anchor().has_time());
  EXPECT_EQ(wire.anomalies_size(), 2);
  EXPECT_EQ(wire.chain_lookup().arguments(1), "0x3");
  EXPECT_TRUE(wire.chain_lookup().has_bit());
  EXPECT_EQ(wire.chain_lookup().logs().contract(), "0x8");
  EXPECT_EQ(wire.chain_lookup().logs().events(0), "E()");
  ASSERT_EQ(wire.chain_lookup().logs().topics_size(), 2);
  EXPECT_EQ(wire.chain_lookup().logs().topics(0).any_of(1), "0xa");
  EXPECT_EQ(wire.pay_to(), "0x6");
}

TEST(AnswerCodecTest, InfiniteTimesStayAbsent) {
  settlement::Answer answer;
  answer.exposed_until = absl::InfiniteFuture();
  v1::Settlement wire;
  ToProto(answer, &wire);
  EXPECT_FALSE(wire.has_exposed_until());
  EXPECT_FALSE(wire.has_retry_after());
}

}  // namespace
}  // namespace tally::protocol

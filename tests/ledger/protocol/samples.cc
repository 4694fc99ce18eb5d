#include "tests/ledger/protocol/samples.h"

#include "absl/strings/str_cat.h"
#include "ledger/crypto/sha256.h"

namespace tally::protocol {
namespace {

namespace s = settlement;

const CallId kCall = {"session-1", "\"two words\""};
const Resource kResource = {"https://mcp.example.com/mcp", "search"};
const std::string kDigest(64, 'a');
const std::string kPayer = "0x" + std::string(40, '1');
const std::string kPayee = "0x" + std::string(40, '2');
const std::string kAsset = "0x" + std::string(40, '3');
const std::string kWord = "0x" + std::string(64, '4');

s::Offer SampleOffer() {
  return {.scheme = "exact",
          .network = "eip155:8453",
          .asset = kAsset,
          .pay_to = kPayee,
          .amount = "10000",
          .max_timeout_seconds = 60,
          .flow = s::PaymentFlow::kEscrow,
          .digest = kDigest};
}

s::Terms SampleTerms() {
  return {
      .recipe = "x402-payment-fingerprint/0",
      .is_weak = true,
      .slot = "eip3009|eip155:8453|a|b|c",
      .scheme = "exact",
      .network = "eip155:8453",
      .asset = kAsset,
      .payer = kPayer,
      .pay_to = kPayee,
      .amount = "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      .valid_after = absl::FromUnixSeconds(-1),
      // Year 318857: validBefore is the payer's to choose.
      .valid_before = absl::FromUnixSeconds(10'000'000'000'000),
      .nonce = kWord,
      .payload_digest = kDigest};
}

s::SettleReading SampleReading() {
  return {.outcome = s::SettleOutcome::kFailed,
          .reason_class = s::ReasonClass::kFailedAfterBroadcast,
          .reason = "invalid_transaction_state",
          .chain_tx = kWord,
          .network = "eip155:8453",
          .payer = kPayer,
          .amount = "10000",
          .failed_checks = {"network-caip2", "success-boolean"}};
}

std::vector<s::Body> SampleBodies() {
  const absl::Time later = absl::FromUnixMicros(1'750'000'300'000'001);
  return {
      s::ChallengeIssued{kCall,
                         kResource,
                         "mcp://tool/search",
                         kDigest,
                         "purchase-1",
                         true,
                         {SampleOffer(), s::Offer{}},
                         "payment required",
                         1},
      s::PaymentPresented{kCall,
                          kResource,
                          "mcp://tool/search",
                          kDigest,
                          SampleTerms(),
                          SampleOffer(),
                          "chl_aaaaaaaaaaaaaaaaaaaaaaaaaa",
                          "purchase-1",
                          "nonce: saw 1",
                          {"nonce", "to"},
                          true},
      s::VerificationCompleted{"session-1", "exchange-1", "https://facilitator.example", kDigest,
                               SampleTerms(), s::VerificationOutcome::kInvalid,
                               s::ReasonClass::kRefused, "insufficient_funds", kPayer},
      s::PreflightResolved{kCall, "task-1", s::PreflightOutcome::kStandbyRejected},
      s::ExecutionClaimed{"exe_1", 7, "claim-1", kResource, kDigest, later, true, "slot"},
      s::ExecutionStarted{kCall, "exe_1", kResource, later},
      s::ExecutionFinished{kCall, "exe_1", kResource, s::ExecutionOutcome::kAborted, true},
      s::SettlementRequested{"session-1", "exchange-2", "https://facilitator.example",
                             s::SettlementPhase::kCancel, kDigest, SampleTerms(), SampleOffer()},
      s::SettlementAnswered{"session-1", "exchange-2", "https://facilitator.example",
                            s::SettlementPhase::kUnknown, kDigest, SampleTerms(),
                            s::PaymentFlow::kUpfront, SampleReading(), "socket dropped", 500},
      s::PaymentReleased{"the tool failed"},
      s::ChainObserved{s::ChainFact::kRetracted, s::Finality::kFinalised, "eip155:8453", kAsset,
                       kPayer, kPayee, "10000", kWord, "eip3009|a", kWord, 0, 12'345'678, kWord,
                       later},
      s::ResponseDelivered{kCall,
                           kResource,
                           true,
                           true,
                           true,
                           SampleReading(),
                           {"structuredContent", "contentText"},
                           true,
                           "payment failed",
                           "task-1"},
      s::PurchaseBooked{kCall, "search", false, true, SampleReading()},
      s::TaskStatusObserved{kCall, "task-1", "completed"},
      s::RemedyRequested{s::Remedy::kRun, "it never ran"},
      s::SettlementResolved{s::Resolution::kComped, "goodwill", 4},
  };
}

std::vector<s::Subject> SampleSubjects() {
  return {s::Subject{s::SubjectKind::kSettlement, "sha256:" + kDigest},
          s::Subject{s::SubjectKind::kChallenge, "chl_aaaaaaaaaaaaaaaaaaaaaaaaaa"},
          s::SubjectOf(kCall), s::SlotSubject("eip3009|eip155:8453|a|b|c")};
}

}  // namespace

std::vector<settlement::Event> SampleEvents() {
  const std::string raw("{\"nonce\":\"\xff\0\"}", 13);
  const std::vector<s::Subject> subjects = SampleSubjects();
  std::vector<s::Event> events;
  for (s::Body body : SampleBodies()) {
    const std::size_t i = events.size();
    events.push_back({.event_id = absl::StrCat("evt-", i),
                      .subject = subjects[i % subjects.size()],
                      .occurred_time = absl::FromUnixMicros(1'750'000'000'000'001),
                      .recorder = "tap@seller",
                      .source = s::SourceKind::kTap,
                      .observes = {.mcp = i % 2 == 0,
                                   .facilitator = true,
                                   .execution = i % 3 == 0,
                                   .client_report = i % 2 == 1,
                                   .chain = i % 5 == 0},
                      .body = std::move(body),
                      .document = s::RawDocument{raw, crypto::Sha256Hex(raw), raw.size()}});
  }
  return events;
}

}  // namespace tally::protocol

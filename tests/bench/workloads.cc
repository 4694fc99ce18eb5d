#include "tests/bench/workloads.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tally::bench {
namespace {

constexpr std::size_t kToldMax = 200'000;

// SplitMix64: the same "random" numbers in every run.
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::string Hex32(std::uint64_t number, std::uint64_t salt) {
  const std::uint64_t seed = Mix(number * 16 + salt);
  return absl::StrFormat("%016x%016x%016x%016x", seed, Mix(seed), Mix(seed + 1), Mix(seed + 2));
}

std::string Address(std::uint64_t number) {
  return absl::StrCat("0x", Hex32(number, 1).substr(0, 40));
}

void FillCall(std::uint64_t settlement, v1::CallId* out) {
  out->set_session(absl::StrCat("session-", settlement / 16));
  out->set_request_id(absl::StrCat(settlement % 16));
}

void FillResource(v1::Resource* out) {
  out->set_endpoint("https://api.example.com/mcp");
  out->set_tool("weather");
}

void FillPresented(std::uint64_t settlement, v1::PaymentPresented* out) {
  FillCall(settlement, out->mutable_call());
  FillResource(out->mutable_resource());
  out->set_arguments_sha256(Hex32(settlement, 2));
  v1::Terms* terms = out->mutable_terms();
  terms->set_recipe("x402-payment-fingerprint/0");
  terms->set_scheme("exact");
  terms->set_network("eip155:84532");
  terms->set_asset(Address(1));
  terms->set_payer(Address(settlement % 1000));
  terms->set_pay_to(Address(2));
  terms->set_amount("10000");
  terms->set_valid_after_seconds(1'700'000'000);
  terms->set_valid_before_seconds(4'000'000'000);
  terms->set_nonce(absl::StrCat("0x", Hex32(settlement, 3)));
  terms->set_slot(absl::StrCat("eip3009|eip155:84532|", terms->asset(), "|", terms->payer(), "|",
                               terms->nonce()));
  terms->set_payload_digest(Hex32(settlement, 4));
}

void FillFinished(std::uint64_t settlement, v1::ExecutionFinished* out) {
  FillCall(settlement, out->mutable_call());
  FillResource(out->mutable_resource());
  out->set_outcome(v1::EXECUTION_OUTCOME_SUCCEEDED);
}

void FillSettled(std::uint64_t settlement, v1::SettlementAnswered* out) {
  out->set_session(absl::StrCat("session-", settlement / 16));
  out->set_exchange(absl::StrCat("settle-", settlement));
  out->set_facilitator("https://facilitator.example.com");
  out->set_phase(v1::SETTLEMENT_PHASE_AFTER_HANDLER);
  out->set_payload_digest(Hex32(settlement, 4));
  out->set_flow(v1::PAYMENT_FLOW_AUTHORIZATION);
  v1::SettleReading* reading = out->mutable_reading();
  reading->set_outcome(v1::SETTLE_OUTCOME_SETTLED);
  reading->set_reason_class(v1::REASON_CLASS_NONE);
  reading->set_chain_tx(absl::StrCat("0x", Hex32(settlement, 5)));
  reading->set_network("eip155:84532");
  reading->set_payer(Address(settlement % 1000));
  out->set_http_status(200);
}

// A UUIDv7, as a recorder makes them: its time, then what looks random.
std::string EventId(std::uint64_t settlement, std::uint64_t step) {
  const std::string time = absl::StrFormat("%012x", 1'900'000'000'000 + settlement / 4);
  const std::string rest = Hex32(settlement, 6 + step);
  return absl::StrCat(time.substr(0, 8), "-", time.substr(8), "-7", rest.substr(0, 3), "-8",
                      rest.substr(3, 3), "-", rest.substr(6, 12));
}

}  // namespace

std::string Story::SettlementId(std::uint64_t number) {
  return absl::StrCat("sha256:", Hex32(number, 0));
}

void Story::Next(v1::Event* out) {
  const std::uint64_t settlement = settlements();
  const std::uint64_t step = events_++ % 3;
  out->set_event_id(EventId(settlement, step));
  out->mutable_subject()->set_settlement_id(SettlementId(settlement));
  out->mutable_occurred_time()->set_seconds(
      static_cast<std::int64_t>(1'700'000'000 + settlement % 1'000'000));
  out->set_source(v1::SOURCE_KIND_API);
  out->mutable_observes()->set_mcp(true);
  out->mutable_observes()->set_facilitator(true);
  out->mutable_observes()->set_execution(true);
  if (step == 0) return FillPresented(settlement, out->mutable_body()->mutable_payment_presented());
  if (step == 1) return FillFinished(settlement, out->mutable_body()->mutable_execution_finished());
  FillSettled(settlement, out->mutable_body()->mutable_settlement_answered());
}

RecordLoad::RecordLoad(int events_each, std::uint64_t& next_settlement,
                       std::vector<std::uint64_t>& told)
    : events_each_(events_each), next_settlement_(next_settlement), told_(told) {
  request_.set_ledger(kLedger);
}

RecordLoad::Teller& RecordLoad::TellerOf(std::size_t caller) {
  if (tellers_.size() <= caller) tellers_.resize(caller + 1);
  return tellers_[caller];
}

const google::protobuf::MessageLite& RecordLoad::Next(std::size_t caller) {
  Teller& teller = TellerOf(caller);
  request_.clear_events();
  for (int i = 0; i < events_each_; ++i) {
    if (!teller.is_begun || teller.story.settlements() != teller.settlement) {
      teller.settlement = next_settlement_++;
      teller.story.StartAt(teller.settlement);
      teller.is_begun = true;
    }
    teller.story.Next(request_.add_events());
  }
  return request_;
}

void RecordLoad::OnAnswer(std::size_t caller) {
  const Teller& teller = TellerOf(caller);
  const bool is_whole = teller.story.settlements() != teller.settlement;
  if (is_whole && told_.size() < kToldMax) told_.push_back(teller.settlement);
}

const google::protobuf::MessageLite& LookUpLoad::Next(std::size_t) {
  request_.set_ledger(kLedger);
  const std::uint64_t drawn = told_.empty() ? 0 : told_[Mix(drawn_++) % told_.size()];
  request_.mutable_key()->set_settlement_id(Story::SettlementId(drawn));
  return request_;
}

}  // namespace tally::bench

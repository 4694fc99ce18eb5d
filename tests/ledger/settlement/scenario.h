// Given / when / then for the domain: a scenario files events one second apart and asks for the
// answer.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/settlement/answer.h"
#include "ledger/settlement/index.h"
#include "ledger/settlement/names.h"

namespace tally::settlement {

inline constexpr char kPayer[] = "0x1111111111111111111111111111111111111111";
inline constexpr char kSeller[] = "0x2222222222222222222222222222222222222222";
inline constexpr char kAsset[] = "0x3333333333333333333333333333333333333333";
inline constexpr char kNonce[] =
    "0x9999999999999999999999999999999999999999999999999999999999999999";
inline constexpr char kSlot[] =
    "eip3009|eip155:8453|0x3333333333333333333333333333333333333333|"
    "0x1111111111111111111111111111111111111111|"
    "0x9999999999999999999999999999999999999999999999999999999999999999";
inline constexpr char kTx[] = "0x7bd6829119c4cf7ca76e4252451b718db7398d04c5c17cb718b3f9b989f7066e";

class Scenario {
 public:
  explicit Scenario(LedgerRole role = LedgerRole::kSeller) : role_(role) {}

  static absl::Time At(int seconds) { return absl::FromUnixSeconds(1'800'000'000 + seconds); }
  // The authorization's window ends a minute after the scenario starts.
  static constexpr int kWindow = 60;

  static Terms TermsOf(const std::string& digest = "good", const std::string& amount = "10000") {
    Terms terms;
    terms.recipe = "x402-payment-fingerprint/0";
    terms.slot = kSlot;
    terms.scheme = "exact";
    terms.network = "eip155:8453";
    terms.asset = kAsset;
    terms.payer = kPayer;
    terms.pay_to = kSeller;
    terms.amount = amount;
    terms.valid_before = At(kWindow);
    terms.nonce = kNonce;
    terms.payload_digest = digest;
    return terms;
  }
  static CallId Call(int id, const std::string& session = "s") {
    return {session, std::to_string(id)};
  }
  static Resource Tool(const std::string& tool = "square") {
    return {"https://tools.example/mcp", tool};
  }

  Scenario& Add(Body body) {
    RecordedEvent recorded;
    recorded.position = static_cast<std::int64_t>(events_.size()) + 1;
    recorded.version = recorded.position;
    recorded.recorded_time = At(static_cast<int>(events_.size()));
    Event& event = recorded.event;
    event.event_id = absl::StrCat("e", events_.size());
    event.subject = {SubjectKind::kSettlement, "sha256:this"};
    event.occurred_time = recorded.recorded_time;
    event.observes = observes_;
    event.body = std::move(body);
    events_.push_back(std::move(recorded));
    return *this;
  }
  Scenario& Observing(Observes observes) {
    observes_ = observes;
    return *this;
  }
  Scenario& ObservingAll() { return Observing({true, true, true, false, false}); }

  // A second signature over the same terms, good for longer.
  Scenario& Resigned(int id, const std::string& digest, int window) {
    PaymentPresented body;
    body.call = Call(id);
    body.resource = Tool();
    body.terms = TermsOf(digest);
    body.terms->valid_before = At(window);
    return Add(body);
  }
  Scenario& Presented(int id = 2, const std::string& digest = "good",
                      const std::string& tool = "square",
                      PaymentFlow flow = PaymentFlow::kAuthorization) {
    PaymentPresented body;
    body.call = Call(id);
    body.resource = Tool(tool);
    body.arguments_sha256 = "arguments of " + tool;
    body.terms = TermsOf(digest);
    body.accepted = Offer{"exact", "eip155:8453", kAsset, kSeller, "10000", 60, flow, "offer"};
    return Add(body);
  }
  Scenario& Verified(const std::string& digest = "good",
                     VerificationOutcome outcome = VerificationOutcome::kValid,
                     ReasonClass reason = ReasonClass::kNone) {
    VerificationCompleted body;
    body.session = "s";
    body.exchange = absl::StrCat("v", events_.size());
    body.payload_digest = digest;
    body.terms = TermsOf(digest);
    body.outcome = outcome;
    body.reason_class = reason;
    return Add(body);
  }
  Scenario& Refused(const std::string& digest = "good",
                    ReasonClass reason = ReasonClass::kRefused) {
    return Verified(digest, VerificationOutcome::kInvalid, reason);
  }
  Scenario& Started(int id = 2, const std::string& tool = "square") {
    ExecutionStarted body;
    body.call = Call(id);
    body.resource = Tool(tool);
    return Add(body);
  }
  Scenario& Finished(ExecutionOutcome outcome = ExecutionOutcome::kSucceeded, int id = 2,
                     const std::string& tool = "square", bool is_idempotent = false) {
    ExecutionFinished body;
    body.call = Call(id);
    body.resource = Tool(tool);
    body.outcome = outcome;
    body.is_tool_idempotent = is_idempotent;
    return Add(body);
  }
  Scenario& SettleAsked(const std::string& exchange, const std::string& digest = "good",
                        SettlementPhase phase = SettlementPhase::kUnknown) {
    SettlementRequested body;
    body.session = "s";
    body.exchange = exchange;
    body.payload_digest = digest;
    body.phase = phase;
    return Add(body);
  }
  Scenario& SettleAnswered(const std::string& exchange, SettleOutcome outcome,
                           const std::string& digest = "good", const std::string& amount = "") {
    SettlementAnswered body;
    body.session = "s";
    body.exchange = exchange;
    body.payload_digest = digest;
    body.reading.outcome = outcome;
    body.reading.amount = amount;
    if (outcome == SettleOutcome::kSettled) body.reading.chain_tx = kTx;
    return Add(body);
  }
  Scenario& Settle(const std::string& exchange, SettleOutcome outcome) {
    return SettleAsked(exchange).SettleAnswered(exchange, outcome);
  }
  Scenario& Served(int id = 2) {
    ResponseDelivered body;
    body.call = Call(id);
    body.is_content_served = true;
    return Add(body);
  }
  Scenario& Withheld(int id = 2, bool is_payable = true) {
    ResponseDelivered body;
    body.call = Call(id);
    body.is_error = true;
    if (is_payable) body.payable_doors = {"structuredContent"};
    return Add(body);
  }
  Scenario& Chain(ChainFact fact, Finality finality, int block_seconds = 5,
                  const std::string& value = "10000") {
    ChainObserved body;
    body.fact = fact;
    body.finality = finality;
    body.network = "eip155:8453";
    body.from = kPayer;
    body.nonce = "0x99";
    body.slot = kSlot;
    body.chain_tx = kTx;
    body.log_index = 1;
    body.block_hash = "0xblock";
    body.block_time = At(block_seconds);
    if (fact == ChainFact::kTransfer) {
      body.to = kSeller;
      body.value = value;
    }
    return Add(body);
  }
  Scenario& Resolved(std::int64_t closes_version = 0) {
    SettlementResolved body;
    body.resolution = Resolution::kWrittenOff;
    body.reason = "agreed by mail";
    body.closes_version = closes_version;
    return Add(body);
  }

  State state() const { return Fold({SubjectKind::kSettlement, "sha256:this"}, events_); }
  const std::vector<RecordedEvent>& events() const { return events_; }
  // A second after the last event.
  absl::Time now() const { return At(static_cast<int>(events_.size())); }

  Answer Answered(std::optional<absl::Time> as_of = std::nullopt,
                  const Surroundings& around = {}) const {
    const State folded = state();
    const Answer answer = Evaluate(folded, around, role_, as_of.value_or(now()));
    // Filing in another order must not matter; five other orders stand for all.
    std::vector<RecordedEvent> shuffled = events_;
    for (unsigned seed = 0; seed < 5; ++seed) {
      std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(seed));
      const State other = Fold(folded.subject, shuffled);
      const Answer again = Evaluate(other, around, role_, as_of.value_or(now()));
      if (again.label != answer.label || again.anomalies != answer.anomalies ||
          again.reason != answer.reason) {
        Answer different;
        different.reason = "depends on the order of arrival";
        return different;
      }
    }
    return answer;
  }
  std::string LabelNow() const { return std::string(NameOf(Answered().label)); }
  std::string LabelAt(int seconds) const {
    return std::string(NameOf(Answered(At(seconds)).label));
  }

 private:
  LedgerRole role_;
  Observes observes_;
  std::vector<RecordedEvent> events_;
};

inline std::vector<std::string> NamesOf(const std::vector<Anomaly>& anomalies) {
  std::vector<std::string> names;
  for (Anomaly anomaly : anomalies) names.emplace_back(NameOf(anomaly));
  return names;
}

}  // namespace tally::settlement

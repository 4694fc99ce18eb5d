#include "ledger/settlement/index.h"

#include <algorithm>

namespace tally::settlement {
namespace {

class AliasList {
 public:
  void Add(AliasKind kind, absl::string_view value) {
    if (value.empty()) return;
    Alias alias{kind, std::string(value)};
    if (std::find(list_.begin(), list_.end(), alias) == list_.end()) {
      list_.push_back(std::move(alias));
    }
  }
  void AddCall(const CallId& call) {
    if (!call.is_empty()) Add(AliasKind::kCall, CallKey(call));
  }
  void AddTerms(const std::optional<Terms>& terms) {
    if (!terms.has_value()) return;
    Add(AliasKind::kSlot, terms->slot);
    if (!terms->nonce.empty()) {
      Add(AliasKind::kNonce, terms->network + " " + terms->payer + " " + terms->nonce);
    }
  }
  std::vector<Alias> Take() && { return std::move(list_); }

 private:
  std::vector<Alias> list_;
};

struct Aliasing {
  AliasList& out;

  void operator()(const ChallengeIssued& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kPurchase, b.purchase_id);
    out.Add(AliasKind::kScope, ScopeOf(b.call, b.resource));
  }
  void operator()(const PaymentPresented& b) const {
    out.AddCall(b.call);
    out.AddTerms(b.terms);
    if (!b.terms.has_value()) return;
    out.Add(AliasKind::kPurchase, b.payment_identifier);
    out.Add(AliasKind::kScope, ScopeOf(b.call, b.resource));
    out.Add(AliasKind::kEchoedChallenge, b.challenge_id);
  }
  void operator()(const VerificationCompleted& b) const { out.AddTerms(b.terms); }
  void operator()(const PreflightResolved& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kTask, b.task_id);
  }
  void operator()(const ExecutionClaimed& b) const {
    out.Add(AliasKind::kSlot, b.slot);
    out.Add(AliasKind::kExecution, b.execution_id);
  }
  void operator()(const ExecutionStarted& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kExecution, b.execution_id);
  }
  void operator()(const ExecutionFinished& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kExecution, b.execution_id);
  }
  void operator()(const SettlementRequested& b) const {
    out.AddTerms(b.terms);
    if (!b.exchange.empty()) out.Add(AliasKind::kExchange, b.session + " " + b.exchange);
  }
  void operator()(const SettlementAnswered& b) const {
    out.AddTerms(b.terms);
    out.Add(AliasKind::kChainTx, b.reading.chain_tx);
  }
  void operator()(const PaymentReleased&) const {}
  void operator()(const ChainObserved& b) const {
    // A fact filed under the slot names no settlement by its tx.
    out.Add(AliasKind::kSlot, b.slot);
    if (b.fact == ChainFact::kTransfer) out.Add(AliasKind::kChainTx, b.chain_tx);
  }
  void operator()(const ResponseDelivered& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kTask, b.task_id);
    if (b.receipt.has_value()) out.Add(AliasKind::kChainTx, b.receipt->chain_tx);
  }
  void operator()(const PurchaseBooked&) const {}
  void operator()(const TaskStatusObserved& b) const {
    out.AddCall(b.call);
    out.Add(AliasKind::kTask, b.task_id);
  }
  void operator()(const RemedyRequested&) const {}
  void operator()(const SettlementResolved&) const {}
};

template <typename T>
const std::string* SlotIn(const File<T>& file) {
  for (const Evidence<T>& evidence : file) {
    if constexpr (requires { evidence.body.slot; }) {
      if (!evidence.body.slot.empty()) return &evidence.body.slot;
    } else {
      const std::optional<Terms>& terms = evidence.body.terms;
      if (terms.has_value() && !terms->slot.empty()) return &terms->slot;
    }
  }
  return nullptr;
}

// Whether the challenge offered what the payment says it accepted.
bool Offered(const ChallengeIssued& challenge, const PaymentPresented& paid) {
  return std::any_of(challenge.offers.begin(), challenge.offers.end(), [&](const Offer& offer) {
    if (paid.accepted.has_value() && !paid.accepted->digest.empty()) {
      return offer.digest == paid.accepted->digest;
    }
    // V1 payloads repeat scheme and network only.
    return paid.terms.has_value() && offer.scheme == paid.terms->scheme &&
           offer.network == paid.terms->network && offer.pay_to == paid.terms->pay_to;
  });
}

bool IsSameOrUnknown(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || a == b;
}

// An echo is unsigned, so it links only when the signed terms are what was offered.
bool SignedAsOffered(const ChallengeIssued& challenge, const Terms& terms) {
  return std::any_of(challenge.offers.begin(), challenge.offers.end(), [&](const Offer& offer) {
    return offer.scheme == terms.scheme && offer.network == terms.network &&
           offer.asset == terms.asset && offer.pay_to == terms.pay_to &&
           offer.amount == terms.amount;
  });
}

}  // namespace

std::vector<Alias> AliasesOf(const Event& event) {
  AliasList list;
  std::visit(Aliasing{list}, event.body);
  std::vector<Alias> aliases = std::move(list).Take();
  if (event.subject.kind == SubjectKind::kSlot) aliases.clear();
  return aliases;
}

// A settlement id fixes its slot, so the first one found is the only one.
std::string SlotOf(const State& state) {
  if (state.subject.kind == SubjectKind::kSlot) return state.subject.key;
  if (state.subject.kind != SubjectKind::kSettlement) return "";
  const std::string* slot = SlotIn(state.presentations);
  if (slot == nullptr) slot = SlotIn(state.verifications);
  if (slot == nullptr) slot = SlotIn(state.settle_requests);
  if (slot == nullptr) slot = SlotIn(state.settle_answers);
  if (slot == nullptr) slot = SlotIn(state.claims);
  if (slot == nullptr) slot = SlotIn(state.chain);
  return slot == nullptr ? "" : *slot;
}

std::string ScopeOf(const CallId& call, const Resource& resource) {
  if (call.session.empty() || resource.tool.empty()) return "";
  return call.session + " " + resource.endpoint + " " + resource.tool;
}

const State* ChooseChallenge(const Evidence<PaymentPresented>& presentation,
                             const std::vector<const State*>& challenges) {
  const PaymentPresented& paid = presentation.body;
  if (!paid.terms.has_value()) return nullptr;
  const std::string scope = ScopeOf(paid.call, paid.resource);
  const State* best = nullptr;
  std::tuple<bool, absl::Time, std::string> best_rank;
  for (const State* state : challenges) {
    for (const Evidence<ChallengeIssued>& issued : state->challenges) {
      const ChallengeIssued& challenge = issued.body;
      const bool is_echoed = !paid.challenge_id.empty() &&
                             paid.challenge_id == state->subject.key &&
                             SignedAsOffered(challenge, *paid.terms);
      const bool is_in_scope = !scope.empty() &&
                               scope == ScopeOf(challenge.call, challenge.resource) &&
                               issued.stamp.occurred <= presentation.stamp.occurred &&
                               IsSameOrUnknown(challenge.arguments_sha256, paid.arguments_sha256) &&
                               Offered(challenge, paid);
      if (!is_echoed && !is_in_scope) continue;
      std::tuple rank(is_echoed, issued.stamp.occurred, issued.stamp.event_id);
      if (best == nullptr || rank > best_rank) {
        best = state;
        best_rank = std::move(rank);
      }
    }
  }
  return best;
}

bool HasStanding(const State& state, LedgerRole role) {
  const auto is_valid = [](const Evidence<VerificationCompleted>& e) {
    return e.body.outcome == VerificationOutcome::kValid;
  };
  const auto is_settled = [](const Evidence<SettlementAnswered>& e) {
    return e.body.reading.outcome == SettleOutcome::kSettled;
  };
  const auto is_transfer = [](const Evidence<ChainObserved>& e) {
    return e.body.fact == ChainFact::kTransfer;
  };
  return (role == LedgerRole::kBuyer && !state.presentations.empty()) ||
         std::any_of(state.verifications.begin(), state.verifications.end(), is_valid) ||
         std::any_of(state.settle_answers.begin(), state.settle_answers.end(), is_settled) ||
         std::any_of(state.chain.begin(), state.chain.end(), is_transfer);
}

}  // namespace tally::settlement

#include "ledger/settlement/dossier.h"

#include <algorithm>
#include <map>

namespace tally::settlement {
namespace {

std::string ExchangeKey(const std::string& session, const std::string& exchange,
                        const Stamp& stamp) {
  // An occurrence nobody named is its own.
  return exchange.empty() ? "event " + stamp.event_id : session + " " + exchange;
}

void AddViews(Dossier& d) {
  for (const Evidence<PaymentPresented>& e : d.state.presentations) {
    PresentationView view;
    view.presented = &e;
    view.digest = e.body.terms.has_value() ? e.body.terms->payload_digest : "";
    view.call = e.body.call;
    view.resource = e.body.resource;
    view.first = e.stamp;
    const auto same = std::find_if(d.views.begin(), d.views.end(), [&](const PresentationView& v) {
      return !view.call.is_empty() && v.call == view.call && v.digest == view.digest;
    });
    if (same == d.views.end()) d.views.push_back(std::move(view));  // else it is corroborated
  }
}

// A proxy sees no call: what a facilitator was shown is a presentation all the same.
void AddSightings(Dossier& d) {
  const auto add = [&](const std::string& digest, const Stamp& stamp) {
    const auto same = std::find_if(d.views.begin(), d.views.end(), [&](const PresentationView& v) {
      return v.digest == digest || digest.empty();
    });
    if (same != d.views.end()) return;
    PresentationView view;
    view.digest = digest;
    view.first = stamp;
    d.views.push_back(std::move(view));
  };
  for (const auto& e : d.state.verifications) add(e.body.payload_digest, e.stamp);
  for (const auto& e : d.state.settle_requests) add(e.body.payload_digest, e.stamp);
  for (const auto& e : d.state.settle_answers) add(e.body.payload_digest, e.stamp);
}

// The views a facilitator's line speaks of: in its own session the latest one before it that shows
// the same bytes; a session nobody presented in (a proxy's) speaks of all that show them.
std::vector<PresentationView*> Meant(Dossier& d, const std::string& session,
                                     const std::string& digest, absl::Time occurred) {
  std::vector<PresentationView*> all;
  PresentationView* latest = nullptr;
  for (PresentationView& view : d.views) {
    if (!digest.empty() && view.digest != digest) continue;
    all.push_back(&view);
    if (session.empty() || view.call.session != session) continue;
    if (latest == nullptr || view.first.occurred <= occurred) latest = &view;
  }
  if (latest != nullptr) return {latest};
  return all;
}

void AttachVerifications(Dossier& d) {
  for (const Evidence<VerificationCompleted>& e : d.state.verifications) {
    for (PresentationView* view :
         Meant(d, e.body.session, e.body.payload_digest, e.stamp.occurred)) {
      if (e.body.outcome == VerificationOutcome::kValid) {
        if (view->valid == nullptr) view->valid = &e;
        if (!view->is_proven) {
          view->is_proven = true;
          view->proof = AnchorOf(Word::kFacilitator, e.stamp);
        }
      } else if (e.body.outcome == VerificationOutcome::kInvalid && view->invalid == nullptr) {
        view->invalid = &e;
      }
    }
  }
  for (const Evidence<PreflightResolved>& e : d.state.preflights) {
    for (PresentationView& view : d.views) {
      if (view.call == e.body.call && view.preflight == nullptr) view.preflight = &e;
    }
  }
}

void Prove(PresentationView& view, Anchor anchor) {
  if (view.is_proven && view.proof.word >= anchor.word) return;
  view.is_proven = true;
  view.proof = anchor;
}

// All that present it signed the same terms; which of them are asked does not matter.
const Terms* AnyTerms(const State& state) {
  const auto find = [](const auto& file) -> const Terms* {
    const auto e = std::find_if(file.begin(), file.end(),
                                [](const auto& each) { return each.body.terms.has_value(); });
    return e == file.end() ? nullptr : &*e->body.terms;
  };
  const Terms* terms = find(state.presentations);
  if (terms == nullptr) terms = find(state.verifications);
  if (terms == nullptr) terms = find(state.settle_requests);
  return terms == nullptr ? find(state.settle_answers) : terms;
}

enum class Likeness { kSame, kOther, kUnknown };

Likeness Compare(const std::string& seen, const std::string& was_signed) {
  if (seen.empty() || was_signed.empty()) return Likeness::kUnknown;
  return seen == was_signed ? Likeness::kSame : Likeness::kOther;
}

// For upto the signed amount is a maximum: less may be this payment or another of the slot.
Likeness CompareAmount(const std::string& seen, const Terms& terms) {
  const Likeness likeness = Compare(seen, terms.amount);
  if (likeness != Likeness::kOther || terms.scheme != "upto") return likeness;
  const absl::StatusOr<Uint256> value = Uint256::Parse(seen);
  const absl::StatusOr<Uint256> most = Uint256::Parse(terms.amount);
  return value.ok() && most.ok() && *value <= *most ? Likeness::kUnknown : likeness;
}

// Whose transfer a fact of the slot is. One filed under the settlement itself is its own.
Likeness CompareTransfer(const Dossier& d, const Evidence<ChainObserved>& e) {
  if (e.body.fact != ChainFact::kTransfer) return Likeness::kUnknown;
  const bool is_own = std::any_of(d.state.chain.begin(), d.state.chain.end(),
                                  [&](const auto& own) { return &own == &e; });
  if (is_own) return Likeness::kSame;
  const Terms* terms = AnyTerms(d.state);
  if (terms == nullptr) return Likeness::kUnknown;
  // A slot of EIP-3009 is of one token; one of Permit2 is not.
  const bool is_token_given = terms->slot.rfind("eip3009|", 0) == 0;
  const Likeness parts[] = {Compare(e.body.to, terms->pay_to), CompareAmount(e.body.value, *terms),
                            is_token_given ? Likeness::kSame : Compare(e.body.asset, terms->asset)};
  const auto has = [&](Likeness likeness) {
    return std::find(std::begin(parts), std::end(parts), likeness) != std::end(parts);
  };
  if (has(Likeness::kOther)) return Likeness::kOther;
  return has(Likeness::kUnknown) ? Likeness::kUnknown : Likeness::kSame;
}

void AttachOtherProof(Dossier& d) {
  for (const Evidence<SettlementAnswered>& e : d.state.settle_answers) {
    if (e.body.reading.outcome != SettleOutcome::kSettled) continue;
    for (PresentationView* view :
         Meant(d, e.body.session, e.body.payload_digest, e.stamp.occurred)) {
      Prove(*view, AnchorOf(Word::kFacilitator, e.stamp));
    }
  }
  for (const Evidence<ChainObserved>* e : d.chain) {
    // Who signed is settled by the chain; which of the bytes were used it does not say.
    if (!d.IsThisTransfer(*e)) continue;
    for (PresentationView& view : d.views)
      Prove(view, AnchorOf(WordOf(e->body.finality), e->stamp));
  }
  if (d.role == LedgerRole::kBuyer) {
    for (PresentationView& view : d.views) {
      if (view.presented != nullptr) Prove(view, AnchorOf(Word::kRecorder, view.first));
    }
  }
}

void AddChain(Dossier& d) {
  std::vector<const Evidence<ChainObserved>*> all;
  for (const auto& e : d.state.chain) all.push_back(&e);
  if (d.around.slot_facts != nullptr) {
    for (const auto& e : d.around.slot_facts->chain) all.push_back(&e);
  }
  for (const Evidence<ChainObserved>* e : all) {
    if (e->body.fact == ChainFact::kRetracted) continue;
    const bool is_retracted = std::any_of(all.begin(), all.end(), [&](const auto* r) {
      return r->body.fact == ChainFact::kRetracted && r->body.chain_tx == e->body.chain_tx &&
             (!r->body.log_index.has_value() || r->body.log_index == e->body.log_index) &&
             (r->body.block_hash.empty() || r->body.block_hash == e->body.block_hash);
    });
    if (!is_retracted) d.chain.push_back(e);
  }
}

class RunList {
 public:
  explicit RunList(const State& state) {
    for (const auto& e : state.starts) Bind(e.body.call, e.body.execution_id);
    for (const auto& e : state.finishes) Bind(e.body.call, e.body.execution_id);
  }

  Run& At(const CallId& call, const std::string& execution_id, const Resource& resource) {
    const auto bound = execution_of_.find(call);
    const bool is_bound = execution_id.empty() && bound != execution_of_.end();
    const std::string& id = is_bound ? bound->second : execution_id;
    Run& run = runs_[id.empty() ? "call " + CallKey(call) : "execution " + id];
    run.execution_id = id;
    if (!call.is_empty()) run.call = call;
    if (resource.is_known()) run.resource = resource;
    return run;
  }

  std::vector<Run> Take() && {
    std::vector<Run> list;
    for (auto& [key, run] : runs_) list.push_back(std::move(run));
    return list;
  }

 private:
  // Two sources of one occurrence: one names the execution, one only the call.
  void Bind(const CallId& call, const std::string& execution_id) {
    if (!call.is_empty() && !execution_id.empty()) execution_of_[call] = execution_id;
  }
  std::map<CallId, std::string> execution_of_;
  std::map<std::string, Run> runs_;
};

// Of several words about one run the strongest counts: succeeded over failed over aborted.
int StrengthOf(ExecutionOutcome outcome) {
  switch (outcome) {
    case ExecutionOutcome::kAborted:
      return 0;
    case ExecutionOutcome::kToolError:
    case ExecutionOutcome::kCrashed:
      return 1;
    case ExecutionOutcome::kSucceeded:
      return 2;
  }
  return 2;
}

void AddEnd(Run& run, const Evidence<ExecutionFinished>& e) {
  const bool is_stronger =
      run.finish == nullptr || StrengthOf(e.body.outcome) > StrengthOf(run.finish->body.outcome);
  if (is_stronger) run.finish = &e;
  run.last_end = e.stamp.occurred;
  if (!e.body.execution_id.empty()) run.last_named_end = e.stamp.occurred;
}

// What aborted or failed, and was started again under the same id since, is running for all that is
// known: the old end must not hide it.
void Reopen(Run& run) {
  if (run.finish == nullptr || run.has_succeeded() || run.last_start == nullptr) return;
  if (run.last_start->stamp.occurred <= run.last_end) return;
  run.start = run.last_start;
  run.finish = nullptr;
}

void AddRuns(Dossier& d) {
  RunList list(d.state);
  for (const Evidence<ExecutionStarted>& e : d.state.starts) {
    Run& run = list.At(e.body.call, e.body.execution_id, e.body.resource);
    if (run.start == nullptr) run.start = &e;
    run.last_start = &e;
    run.lease_until =
        std::max(run.lease_until, e.body.lease_until.value_or(e.stamp.occurred + kDefaultLease));
    d.is_watched = true;
  }
  for (const Evidence<ExecutionFinished>& e : d.state.finishes) {
    Run& run = list.At(e.body.call, e.body.execution_id, e.body.resource);
    AddEnd(run, e);
    d.is_tool_idempotent = d.is_tool_idempotent || e.body.is_tool_idempotent;
    d.is_watched = true;
  }
  d.runs = std::move(list).Take();
  for (Run& run : d.runs) Reopen(run);
  for (const Evidence<ExecutionClaimed>& e : d.state.claims) {
    d.is_tool_idempotent = d.is_tool_idempotent || e.body.is_tool_idempotent;
    for (Run& run : d.runs) {
      if (run.execution_id == e.body.execution_id)
        run.lease_until = std::max(run.lease_until, e.body.lease_until);
    }
  }
  const auto watches = [](const auto& e) { return e.stamp.observes.execution; };
  d.is_watched = d.is_watched ||
                 std::any_of(d.state.presentations.begin(), d.state.presentations.end(), watches);
}

bool IsBeforeHandler(const Dossier& d, const Attempt& attempt, SettlementPhase phase) {
  if (phase != SettlementPhase::kUnknown) return phase == SettlementPhase::kBeforeHandler;
  // Nobody said: an attempt made before anything started was made before the handler.
  const absl::Time asked = attempt.request != nullptr ? attempt.request->stamp.occurred
                                                      : attempt.answers.front()->stamp.occurred;
  return std::none_of(d.runs.begin(), d.runs.end(), [&](const Run& run) {
    return run.start != nullptr && run.start->stamp.occurred <= asked;
  });
}

Settlement OutcomeOf(const Dossier& d, const Attempt& attempt, const SettlementAnswered& answer) {
  if (!answer.transport_error.empty()) return Settlement::kOpen;
  switch (answer.reading.outcome) {
    case SettleOutcome::kFailed:
      return Settlement::kFailed;
    case SettleOutcome::kUnresolved:
      return Settlement::kOpen;
    case SettleOutcome::kSettled:
      break;
  }
  SettlementPhase phase = answer.phase;
  if (phase == SettlementPhase::kUnknown && attempt.request != nullptr) {
    phase = attempt.request->body.phase;
  }
  if (phase == SettlementPhase::kCancel) return Settlement::kReturned;
  const bool is_escrow = answer.flow == PaymentFlow::kEscrow || d.flow() == PaymentFlow::kEscrow;
  return is_escrow && IsBeforeHandler(d, attempt, phase) ? Settlement::kHeld : Settlement::kSettled;
}

void AddAttempts(Dossier& d) {
  std::map<std::string, Attempt> attempts;
  const auto at = [&](const auto& e) -> Attempt& {
    const std::string key = ExchangeKey(e.body.session, e.body.exchange, e.stamp);
    Attempt& attempt = attempts[key];
    attempt.key = key;
    if (!e.body.payload_digest.empty()) attempt.digest = e.body.payload_digest;
    return attempt;
  };
  for (const auto& e : d.state.settle_requests) {
    Attempt& attempt = at(e);
    if (attempt.request == nullptr) attempt.request = &e;
  }
  for (const auto& e : d.state.settle_answers) at(e).answers.push_back(&e);
  const std::vector<Settlement> strength = {Settlement::kOpen, Settlement::kFailed,
                                            Settlement::kHeld, Settlement::kReturned,
                                            Settlement::kSettled};
  const auto rank = [&](Settlement s) { return std::find(strength.begin(), strength.end(), s); };
  for (auto& [key, attempt] : attempts) {
    if (attempt.request != nullptr) {
      attempt.anchor = AnchorOf(Word::kRecorder, attempt.request->stamp);
    }
    for (const auto* answer : attempt.answers) {
      const Settlement outcome = OutcomeOf(d, attempt, answer->body);
      if (rank(outcome) < rank(attempt.outcome)) continue;
      if (outcome == attempt.outcome && attempt.anchor.word == Word::kFacilitator) continue;
      attempt.outcome = outcome;
      attempt.anchor =
          AnchorOf(answer->body.transport_error.empty() ? Word::kFacilitator : Word::kRecorder,
                   answer->stamp);
    }
    d.attempts.push_back(std::move(attempt));
  }
}

// The same settlement id means the same terms; only window and signature can differ.
void ChooseTerms(Dossier& d) {
  std::optional<absl::Time> latest;
  const auto offer = [&](const std::optional<Terms>& terms) {
    if (!terms.has_value()) return;
    if (!d.terms.has_value() || !d.CountsDigest(d.terms->payload_digest)) d.terms = terms;
    if (d.CouldSettle(terms->payload_digest)) latest = std::max(latest, terms->valid_before);
  };
  for (const auto& e : d.state.presentations) offer(e.body.terms);
  for (const auto& e : d.state.verifications) offer(e.body.terms);
  for (const auto& e : d.state.settle_requests) offer(e.body.terms);
  for (const auto& e : d.state.settle_answers) offer(e.body.terms);
  if (d.terms.has_value() && latest.has_value()) d.terms->valid_before = latest;
}

}  // namespace

Dossier::Dossier(const State& of, Surroundings beside, LedgerRole ledger_role, absl::Time judged_at)
    : state(of), around(std::move(beside)), role(ledger_role), as_of(judged_at) {
  AddChain(*this);
  AddViews(*this);
  AddSightings(*this);
  AttachVerifications(*this);
  AttachOtherProof(*this);
  has_standing = std::any_of(views.begin(), views.end(),
                             [](const PresentationView& view) { return view.is_proven; });
  AddRuns(*this);
  ChooseTerms(*this);
  AddAttempts(*this);
}

bool Dossier::CountsDigest(const std::string& digest) const {
  if (!has_standing || digest.empty()) return true;
  return std::any_of(views.begin(), views.end(), [&](const PresentationView& view) {
    return view.is_proven && view.digest == digest;
  });
}

bool Dossier::CouldSettle(const std::string& digest) const {
  const auto is_asked = [&](const auto& e) { return e.body.payload_digest == digest; };
  if (std::any_of(state.settle_requests.begin(), state.settle_requests.end(), is_asked))
    return true;
  return std::none_of(views.begin(), views.end(), [&](const PresentationView& view) {
    return view.digest == digest && IsRefusedForSignature(view);
  });
}

bool Dossier::CountsCall(const CallId& call) const {
  bool is_presented = false;
  for (const PresentationView& view : views) {
    if (view.presented == nullptr || view.call != call) continue;
    if (Counts(view)) return true;
    is_presented = true;
  }
  return !is_presented;
}

std::vector<const PresentationView*> Dossier::CountingViews() const {
  std::vector<const PresentationView*> counting;
  for (const PresentationView& view : views) {
    if (Counts(view)) counting.push_back(&view);
  }
  return counting;
}

std::vector<const Evidence<ResponseDelivered>*> Dossier::CountingDeliveries() const {
  std::vector<const Evidence<ResponseDelivered>*> counting;
  for (const Evidence<ResponseDelivered>& e : state.deliveries) {
    if (CountsCall(e.body.call)) counting.push_back(&e);
  }
  return counting;
}

std::optional<absl::Time> Dossier::valid_before() const {
  return terms.has_value() ? terms->valid_before : std::nullopt;
}

const Offer* Dossier::accepted() const {
  for (const PresentationView* view : CountingViews()) {
    if (view->presented != nullptr && view->presented->body.accepted.has_value()) {
      return &*view->presented->body.accepted;
    }
  }
  for (const auto& e : state.settle_requests) {
    if (e.body.requirements.has_value()) return &*e.body.requirements;
  }
  return nullptr;
}

PaymentFlow Dossier::flow() const {
  const Offer* offer = accepted();
  return offer == nullptr ? PaymentFlow::kAuthorization : offer->flow;
}

bool Dossier::IsThisTransfer(const Evidence<ChainObserved>& fact) const {
  return CompareTransfer(*this, fact) == Likeness::kSame;
}

bool Dossier::IsOtherTransfer(const Evidence<ChainObserved>& fact) const {
  return CompareTransfer(*this, fact) == Likeness::kOther;
}

bool IsRefusedForSignature(const PresentationView& view) {
  return view.valid == nullptr && view.invalid != nullptr &&
         view.invalid->body.reason.find("signature") != std::string::npos;
}

Anchor AnchorOf(Word word, const Stamp& stamp) { return {word, stamp.position, stamp.occurred}; }

Word WordOf(Finality finality) {
  switch (finality) {
    case Finality::kSeen:
      return Word::kChainSeen;
    case Finality::kSafe:
      return Word::kChainSafe;
    case Finality::kFinalised:
      return Word::kChainFinalised;
  }
  return Word::kChainSeen;
}

bool IsDead(Liveness liveness) {
  return liveness == Liveness::kSpentByOther || liveness == Liveness::kCancelled ||
         liveness == Liveness::kExpiredUnused;
}

bool IsUndecided(Liveness liveness) {
  return liveness == Liveness::kLive || liveness == Liveness::kLapsed ||
         liveness == Liveness::kNotProvable;
}

}  // namespace tally::settlement

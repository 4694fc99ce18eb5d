#include "ledger/settlement/axes.h"

#include <algorithm>

namespace tally::settlement {
namespace {

// --- presentation ---

Axis<Presentation> ReadPresentation(const Dossier& d) {
  // Across presentations one that is still open keeps the question open: refused only if all are.
  constexpr Presentation kOrder[] = {Presentation::kVerified, Presentation::kPresented,
                                     Presentation::kRefused};
  const std::vector<const PresentationView*> views = d.CountingViews();
  for (Presentation wanted : kOrder) {
    for (const PresentationView* view : views) {
      const Axis<Presentation> axis = ReadView(*view);
      if (axis.value == wanted) return axis;
    }
  }
  if (!d.state.challenges.empty()) {
    return {Presentation::kChallenged,
            AnchorOf(d.WordOfAnswer(), d.state.challenges.front().stamp)};
  }
  return {};
}

// --- execution ---

std::optional<Axis<Execution>> ReadNotStarted(const Dossier& d) {
  // Positive evidence for every presentation that counts: its answer went out past an observer of
  // executions without a start, or it was decided before execution.
  std::optional<Anchor> anchor;
  const std::vector<const PresentationView*> views = d.CountingViews();
  for (const PresentationView* view : views) {
    std::optional<Anchor> own;
    if (view->preflight != nullptr) own = AnchorOf(Word::kRecorder, view->preflight->stamp);
    for (const auto* e : d.CountingDeliveries()) {
      if (e->body.call != view->call || !e->stamp.observes.execution) continue;
      if (!e->body.is_content_served && e->body.task_id.empty()) {
        own = AnchorOf(Word::kRecorder, e->stamp);
      }
    }
    if (!own.has_value()) return std::nullopt;
    if (!anchor.has_value()) anchor = own;
  }
  if (!anchor.has_value()) return std::nullopt;
  return Axis<Execution>{Execution::kNotStarted, *anchor};
}

Axis<Execution> ReadExecution(const Dossier& d) {
  const Run* started = nullptr;
  const Run* failed = nullptr;
  const Run* aborted = nullptr;
  for (const Run& run : d.runs) {
    if (run.has_succeeded()) {
      return {Execution::kSucceeded, AnchorOf(Word::kRecorder, run.finish->stamp)};
    }
    if (run.is_aborted()) {
      aborted = &run;
    } else if (run.has_failed()) {
      failed = &run;
    } else if (started == nullptr || run.lease_until > started->lease_until) {
      started = &run;
    }
  }
  for (const auto* e : d.CountingDeliveries()) {
    if (e->body.is_content_served) {
      return {Execution::kSucceeded, AnchorOf(d.WordOfAnswer(), e->stamp)};
    }
  }
  if (started != nullptr) {
    if (d.as_of < started->lease_until) {
      return {Execution::kStarted, AnchorOf(Word::kRecorder, started->start->stamp)};
    }
    return {Execution::kUnknown,
            {Word::kClock, started->start->stamp.position, started->lease_until}};
  }
  if (failed != nullptr) {
    return {Execution::kFailed, AnchorOf(Word::kRecorder, failed->finish->stamp)};
  }
  if (aborted != nullptr) {
    return {Execution::kNotStarted, AnchorOf(Word::kRecorder, aborted->finish->stamp)};
  }
  return ReadNotStarted(d).value_or(Axis<Execution>{});
}

// --- the slot ---

// The transfer of another settlement of the slot, the most final first.
std::optional<Anchor> FindOtherTransfer(const Dossier& d) {
  std::optional<Anchor> best;
  const auto offer = [&](const Evidence<ChainObserved>& e) {
    if (e.body.fact != ChainFact::kTransfer) return;
    const Anchor anchor = AnchorOf(WordOf(e.body.finality), e.stamp);
    if (!best.has_value() || anchor.word > best->word) best = anchor;
  };
  for (const Evidence<ChainObserved>* e : d.chain) {
    if (d.IsOtherTransfer(*e)) offer(*e);
  }
  for (const State* sibling : d.around.slot_siblings) {
    Surroundings beside;
    beside.slot_facts = d.around.slot_facts;
    const Dossier other(*sibling, beside, d.role, d.as_of);
    for (const Evidence<ChainObserved>* e : other.chain) {
      if (other.IsThisTransfer(*e)) offer(*e);
    }
  }
  return best;
}

// --- settlement ---

void Strengthen(Axis<Settlement>& axis, Settlement value, const Anchor& anchor) {
  constexpr Settlement kOrder[] = {Settlement::kNotRequested, Settlement::kFailed,
                                   Settlement::kOpen,         Settlement::kHeld,
                                   Settlement::kReturned,     Settlement::kSettled};
  const auto rank = [&](Settlement s) {
    return std::find(std::begin(kOrder), std::end(kOrder), s);
  };
  const bool is_stronger = rank(value) > rank(axis.value);
  const bool is_better_known = value == axis.value && anchor.word > axis.anchor.word;
  if (is_stronger || is_better_known) axis = {value, anchor};
}

Settlement OutcomeOfReceipt(const SettleReading& receipt) {
  switch (receipt.outcome) {
    case SettleOutcome::kSettled:
      return Settlement::kSettled;
    case SettleOutcome::kFailed:
      return Settlement::kFailed;
    case SettleOutcome::kUnresolved:
      return Settlement::kOpen;
  }
  return Settlement::kOpen;
}

// A payment that was refused and never sent to be settled has no part in what used its nonce.
bool IsRefusedThroughout(const Dossier& d) {
  const std::vector<const PresentationView*> views = d.CountingViews();
  return d.attempts.empty() && !views.empty() &&
         std::all_of(views.begin(), views.end(), [](const PresentationView* view) {
           return ReadView(*view).value == Presentation::kRefused;
         });
}

Axis<Settlement> ReadSettlement(const Dossier& d) {
  Axis<Settlement> axis;
  for (const Attempt& attempt : d.attempts) {
    // A failure of bytes without standing says nothing about those that have it.
    if (attempt.outcome == Settlement::kFailed && !d.CountsDigest(attempt.digest)) continue;
    Strengthen(axis, attempt.outcome, attempt.anchor);
  }
  // A receipt repeats what the seller's attempts already say; it is evidence for those who saw
  // none.
  if (d.attempts.empty()) {
    for (const auto* e : d.CountingDeliveries()) {
      if (!e->body.receipt.has_value()) continue;
      Strengthen(axis, OutcomeOfReceipt(*e->body.receipt), AnchorOf(d.WordOfAnswer(), e->stamp));
    }
  }
  for (const Evidence<ChainObserved>* e : d.chain) {
    if (!d.IsThisTransfer(*e)) continue;
    // What escrow holds or gave back is no settlement however final its transfer is.
    if (axis.value == Settlement::kHeld || axis.value == Settlement::kReturned) continue;
    Strengthen(axis, Settlement::kSettled, AnchorOf(WordOf(e->body.finality), e->stamp));
  }
  // Somebody's attempt reached the chain and nobody saw what came of it.
  const std::optional<Anchor> use = FindUnseenUse(d);
  if (use.has_value() && !IsRefusedThroughout(d)) Strengthen(axis, Settlement::kOpen, *use);
  return axis;
}

// --- liveness ---

bool IsWindowOver(const Terms& terms, const ChainObserved& fact) {
  if (!terms.valid_before.has_value() || !fact.block_time.has_value()) return false;
  // EIP-3009 is dead at validBefore, Permit2 after its deadline.
  const bool is_permit2 = terms.slot.rfind("permit2|", 0) == 0;
  return is_permit2 ? *fact.block_time > *terms.valid_before
                    : *fact.block_time >= *terms.valid_before;
}

// What the chain says of the nonce; nullopt when it decides nothing.
std::optional<Axis<Liveness>> ReadChainLiveness(const Dossier& d) {
  std::optional<Axis<Liveness>> best;
  const auto take = [&](Liveness value, const Anchor& anchor) {
    if (!best.has_value() || anchor.word > best->anchor.word) best = Axis<Liveness>{value, anchor};
  };
  for (const Evidence<ChainObserved>* e : d.chain) {
    if (d.IsThisTransfer(*e)) {
      return Axis<Liveness>{Liveness::kSpentByThis, AnchorOf(WordOf(e->body.finality), e->stamp)};
    }
  }
  const auto by_finality = [](const Anchor& anchor, Liveness when_final) {
    return anchor.word == Word::kChainFinalised ? when_final : Liveness::kNotProvable;
  };
  if (const std::optional<Anchor> other = FindOtherTransfer(d); other.has_value()) {
    take(by_finality(*other, Liveness::kSpentByOther), *other);
  }
  if (const std::optional<Anchor> use = FindUnseenUse(d); use.has_value()) {
    take(Liveness::kNotProvable, *use);
  }
  for (const Evidence<ChainObserved>* e : d.chain) {
    const Anchor anchor = AnchorOf(WordOf(e->body.finality), e->stamp);
    if (e->body.fact == ChainFact::kCancelled) {
      take(by_finality(anchor, Liveness::kCancelled), anchor);
    } else if (e->body.fact == ChainFact::kUnused && e->body.finality == Finality::kFinalised &&
               d.terms.has_value() && IsWindowOver(*d.terms, e->body)) {
      take(Liveness::kExpiredUnused, anchor);
    }
  }
  return best;
}

bool IsNonceConsumed(const Dossier& d) {
  const std::vector<const PresentationView*> views = d.CountingViews();
  return std::any_of(views.begin(), views.end(), [](const PresentationView* view) {
    return view->valid == nullptr && view->invalid != nullptr &&
           view->invalid->body.reason_class == ReasonClass::kNonceConsumed;
  });
}

Axis<Liveness> ReadLiveness(const Dossier& d, const Axis<Presentation>& presentation,
                            const Axis<Settlement>& settlement) {
  const std::optional<Axis<Liveness>> chain = ReadChainLiveness(d);
  if (chain.has_value() && (IsDead(chain->value) || chain->value == Liveness::kSpentByThis)) {
    return *chain;
  }
  switch (settlement.value) {
    case Settlement::kSettled:
    case Settlement::kHeld:
    case Settlement::kReturned:
      return {Liveness::kSpentByThis, settlement.anchor};
    case Settlement::kOpen:
      return {Liveness::kNotProvable, settlement.anchor};
    case Settlement::kNotRequested:
    case Settlement::kFailed:
      break;
  }
  if (chain.has_value()) return *chain;
  if (IsNonceConsumed(d)) return {Liveness::kNotProvable, presentation.anchor};
  const std::optional<absl::Time> valid_before = d.valid_before();
  if (d.views.empty() || !valid_before.has_value()) return {Liveness::kNotProvable, {}};
  if (d.as_of < *valid_before + kClockMargin) return {Liveness::kLive, presentation.anchor};
  return {Liveness::kLapsed, {Word::kClock, 0, valid_before}};
}

// --- delivery ---

Axis<Delivery> ReadDelivery(const Dossier& d) {
  Axis<Delivery> axis;
  for (const auto* e : d.CountingDeliveries()) {
    if (!e->body.task_id.empty() && !e->body.is_content_served) continue;  // a task, not a result
    if (e->body.is_content_served) {
      return {d.role == LedgerRole::kBuyer ? Delivery::kAcknowledged : Delivery::kSent,
              AnchorOf(Word::kRecorder, e->stamp)};
    }
    axis = {Delivery::kWithheld, AnchorOf(Word::kRecorder, e->stamp)};
  }
  return axis;
}

}  // namespace

std::optional<Anchor> FindUnseenUse(const Dossier& d) {
  std::optional<Anchor> best;
  for (const Evidence<ChainObserved>* e : d.chain) {
    if (d.IsThisTransfer(*e) || e->body.fact == ChainFact::kCancelled) return std::nullopt;
    const bool is_use = e->body.fact == ChainFact::kUsed ||
                        (e->body.fact == ChainFact::kTransfer && !d.IsOtherTransfer(*e));
    if (!is_use) continue;
    const Anchor anchor = AnchorOf(WordOf(e->body.finality), e->stamp);
    if (!best.has_value() || anchor.word > best->word) best = anchor;
  }
  return best.has_value() && !FindOtherTransfer(d).has_value() ? best : std::nullopt;
}

Axis<Presentation> ReadView(const PresentationView& view) {
  if (view.is_proven && view.proof.word != Word::kRecorder) {
    return {Presentation::kVerified, view.proof};
  }
  if (view.invalid != nullptr && view.valid == nullptr) {
    return {Presentation::kRefused, AnchorOf(Word::kFacilitator, view.invalid->stamp)};
  }
  if (view.preflight != nullptr) {
    return {Presentation::kRefused, AnchorOf(Word::kRecorder, view.preflight->stamp)};
  }
  return {Presentation::kPresented, AnchorOf(Word::kRecorder, view.first)};
}

Axes ReadAxes(const Dossier& d) {
  Axes axes;
  axes.presentation = ReadPresentation(d);
  axes.execution = ReadExecution(d);
  axes.settlement = ReadSettlement(d);
  axes.liveness = ReadLiveness(d, axes.presentation, axes.settlement);
  axes.delivery = ReadDelivery(d);
  return axes;
}

}  // namespace tally::settlement

#include "ledger/settlement/answer.h"

#include <algorithm>

#include "ledger/settlement/anomalies.h"
#include "ledger/settlement/axes.h"
#include "ledger/settlement/chain_lookup.h"
#include "ledger/settlement/dossier.h"
#include "ledger/settlement/index.h"
#include "ledger/settlement/label.h"
#include "ledger/settlement/reason.h"

namespace tally::settlement {
namespace {

// --- adjusting entries ---

struct Closing {
  bool is_closed = false;
  bool has_late_evidence = false;
};

template <typename T>
void KeepUpTo(File<T>& file, std::int64_t version) {
  file.erase(std::remove_if(file.begin(), file.end(),
                            [&](const Evidence<T>& e) { return e.stamp.version > version; }),
             file.end());
}

State UpToVersion(State state, std::int64_t version) {
  KeepUpTo(state.challenges, version);
  KeepUpTo(state.presentations, version);
  KeepUpTo(state.verifications, version);
  KeepUpTo(state.preflights, version);
  KeepUpTo(state.claims, version);
  KeepUpTo(state.starts, version);
  KeepUpTo(state.finishes, version);
  KeepUpTo(state.settle_requests, version);
  KeepUpTo(state.settle_answers, version);
  KeepUpTo(state.chain, version);
  KeepUpTo(state.deliveries, version);
  KeepUpTo(state.tasks, version);
  return state;
}

bool SameAxes(const Axes& a, const Axes& b) {
  return a.presentation.value == b.presentation.value && a.execution.value == b.execution.value &&
         a.settlement.value == b.settlement.value && a.liveness.value == b.liveness.value &&
         a.delivery.value == b.delivery.value;
}

// An adjusting entry stands until something newer than the version it closes changes an axis.
Closing ReadClosing(const Dossier& d, const Axes& axes) {
  if (d.state.resolutions.empty()) return {};
  const auto latest = std::max_element(
      d.state.resolutions.begin(), d.state.resolutions.end(),
      [](const auto& a, const auto& b) { return a.stamp.version < b.stamp.version; });
  const std::int64_t closes =
      latest->body.closes_version > 0 ? latest->body.closes_version : latest->stamp.version;
  const State then = UpToVersion(d.state, closes);
  State slot_then;
  Surroundings around = d.around;
  if (d.around.slot_facts != nullptr) {
    slot_then = *d.around.slot_facts;
    auto& chain = slot_then.chain;
    chain.erase(
        std::remove_if(chain.begin(), chain.end(),
                       [&](const auto& e) { return e.stamp.recorded > latest->stamp.recorded; }),
        chain.end());
    around.slot_facts = &slot_then;
  }
  const Dossier before(then, around, d.role, d.as_of);
  const bool is_same = SameAxes(ReadAxes(before), axes);
  return {is_same, !is_same};
}

// --- conflict ---

bool IsSettledForGood(const Dossier& d) {
  const Axes axes = ReadAxes(d);
  return axes.settlement.value == Settlement::kSettled &&
         axes.settlement.anchor.word == Word::kChainFinalised;
}

bool RanAtTwoResources(const Dossier& d) {
  for (const Run& a : d.runs) {
    for (const Run& b : d.runs) {
      if (!a.is_aborted() && !b.is_aborted() && Disagree(a.resource, b.resource)) return true;
    }
  }
  return false;
}

bool IsInConflict(const Dossier& d, const Axes& axes, const std::vector<Anomaly>& anomalies) {
  const bool is_over = std::find(anomalies.begin(), anomalies.end(),
                                 Anomaly::kSettledOverAuthorised) != anomalies.end();
  if (is_over || RanAtTwoResources(d)) return true;
  if (!d.has_standing || IsDead(axes.liveness.value) || IsSettledForGood(d)) return false;
  return std::any_of(d.around.slot_siblings.begin(), d.around.slot_siblings.end(),
                     [&](const State* sibling) {
                       return sibling->subject != d.state.subject && HasStanding(*sibling, d.role);
                     });
}

// --- the purchase ---

bool IsSamePurchase(const Dossier& d, const Dossier& mate) {
  // A payment-identifier is scoped by payer and payee; a stranger's use of it is another purchase.
  if (!d.terms.has_value()) return true;
  return mate.terms.has_value() && mate.terms->payer == d.terms->payer &&
         mate.terms->pay_to == d.terms->pay_to;
}

// Whether a mate could still move, or moved, the buyer's money.
bool Blocks(const Dossier& mate) {
  // Nobody can settle what no presentation signed; a stranger must not hold up the buyer with it.
  const bool is_junk = !mate.has_standing && !mate.views.empty() &&
                       std::all_of(mate.views.begin(), mate.views.end(), IsRefusedForSignature);
  if (is_junk) return false;
  const Axes axes = ReadAxes(mate);
  if (axes.settlement.value == Settlement::kReturned) return false;
  if (axes.settlement.value == Settlement::kSettled || axes.settlement.value == Settlement::kHeld) {
    return true;
  }
  return !IsDead(axes.liveness.value);
}

// The same thing asked for again while it is not known what became of the first time: a new
// challenge starts a new purchase only once the first is over.
bool IsAskedAgain(const Dossier& d, const State& earlier) {
  if (d.state.challenges.empty()) return false;
  const ChallengeIssued& again = d.state.challenges.front().body;
  const bool is_same =
      std::any_of(earlier.presentations.begin(), earlier.presentations.end(), [&](const auto& e) {
        return !again.arguments_sha256.empty() &&
               e.body.arguments_sha256 == again.arguments_sha256 &&
               e.stamp.occurred <= d.state.challenges.front().stamp.occurred;
      });
  if (!is_same || !Blocks(Dossier(earlier, {}, d.role, d.as_of))) return false;
  return Evaluate(earlier, {}, d.role, d.as_of).label != Label::kPaid;
}

bool IsPurchaseBlocked(const Dossier& d) {
  if (d.around.has_more) return true;
  const auto is_asked_again = [&](const State* earlier) { return IsAskedAgain(d, *earlier); };
  if (std::any_of(d.around.session_mates.begin(), d.around.session_mates.end(), is_asked_again)) {
    return true;
  }
  return std::any_of(d.around.purchase_mates.begin(), d.around.purchase_mates.end(),
                     [&](const State* state) {
                       if (state->subject == d.state.subject) return false;
                       const Dossier mate(*state, {}, d.role, d.as_of);
                       return IsSamePurchase(d, mate) && Blocks(mate);
                     });
}

// --- time ---

// When the terms' time is over: the window where there is one, else what the terms allow for an
// answer.
std::optional<absl::Time> DeadlineOf(const Dossier& d) {
  if (d.valid_before().has_value()) return *d.valid_before() + kClockMargin;
  if (d.views.empty()) return std::nullopt;
  absl::Time first = absl::InfiniteFuture();
  for (const PresentationView& view : d.views) first = std::min(first, view.first.occurred);
  const Offer* offer = d.accepted();
  const absl::Duration allowed = offer != nullptr && offer->max_timeout_seconds > 0
                                     ? absl::Seconds(offer->max_timeout_seconds)
                                     : kDefaultLease;
  return first + allowed + kClockMargin;
}

absl::Time NextAfter(absl::Time now, absl::Time sooner, std::optional<absl::Time> candidate) {
  return candidate.has_value() && *candidate > now ? std::min(sooner, *candidate) : sooner;
}

// --- what it is about ---

void DescribeChallenge(const State& state, Answer& answer) {
  const ChallengeIssued& challenge = state.challenges.front().body;
  answer.challenge_id = state.subject.key;
  answer.purchase_id = challenge.purchase_id;
  answer.resource = challenge.resource;
  if (challenge.offers.empty()) return;
  const Offer& offer = challenge.offers.front();
  answer.scheme = offer.scheme;
  answer.network = offer.network;
  answer.asset = offer.asset;
  answer.amount = offer.amount;
  answer.pay_to = offer.pay_to;
}

void DescribeSettlement(const Dossier& d, Answer& answer) {
  if (d.state.subject.kind == SubjectKind::kSettlement) answer.settlement_id = d.state.subject.key;
  if (d.terms.has_value()) {
    answer.scheme = d.terms->scheme;
    answer.network = d.terms->network;
    answer.asset = d.terms->asset;
    answer.amount = d.terms->amount;
    answer.payer = d.terms->payer;
    answer.pay_to = d.terms->pay_to;
  } else if (!d.state.chain.empty()) {
    const ChainObserved& fact = d.state.chain.front().body;
    answer.network = fact.network;
    answer.asset = fact.asset;
    answer.amount = fact.value;
    answer.payer = fact.from;
    answer.pay_to = fact.to;
  }
  if (answer.amount.empty() && d.accepted() != nullptr) answer.amount = d.accepted()->amount;
  for (const PresentationView* view : d.CountingViews()) {
    if (answer.resource.tool.empty()) answer.resource = view->resource;
    if (view->presented != nullptr && answer.purchase_id.empty()) {
      answer.purchase_id = view->presented->body.payment_identifier;
    }
  }
  for (const Run& run : d.runs) {
    if (answer.resource.tool.empty()) answer.resource = run.resource;
  }
  for (const State* challenge : d.around.challenges) {
    if (challenge->challenges.empty()) continue;
    if (answer.challenge_id.empty()) answer.challenge_id = challenge->subject.key;
    if (answer.purchase_id.empty()) {
      answer.purchase_id = challenge->challenges.front().body.purchase_id;
    }
  }
}

void FindLatestChainTx(const Dossier& d, Answer& answer) {
  absl::Time latest = absl::InfinitePast();
  const auto offer = [&](const std::string& chain_tx, absl::Time time) {
    if (chain_tx.empty() || time < latest) return;
    latest = time;
    answer.chain_tx = chain_tx;
  };
  for (const auto& e : d.state.settle_answers) {
    const bool is_junk =
        e.body.reading.outcome == SettleOutcome::kFailed && !d.CountsDigest(e.body.payload_digest);
    if (!is_junk) offer(e.body.reading.chain_tx, e.stamp.occurred);
  }
  for (const auto* e : d.CountingDeliveries()) {
    if (e->body.receipt.has_value()) offer(e->body.receipt->chain_tx, e->stamp.occurred);
  }
  for (const auto& e : d.state.chain) {
    if (e.body.fact == ChainFact::kTransfer) offer(e.body.chain_tx, e.stamp.occurred);
  }
}

template <typename T>
void SpanOf(const File<T>& file, Answer& answer) {
  if (file.empty()) return;
  const absl::Time first = file.front().stamp.occurred;
  const absl::Time last = file.back().stamp.occurred;
  answer.first_time = std::min(answer.first_time.value_or(first), first);
  answer.last_time = std::max(answer.last_time.value_or(last), last);
}

void FindSpan(const State& state, Answer& answer) {
  SpanOf(state.challenges, answer);
  SpanOf(state.presentations, answer);
  SpanOf(state.verifications, answer);
  SpanOf(state.preflights, answer);
  SpanOf(state.claims, answer);
  SpanOf(state.starts, answer);
  SpanOf(state.finishes, answer);
  SpanOf(state.settle_requests, answer);
  SpanOf(state.settle_answers, answer);
  SpanOf(state.releases, answer);
  SpanOf(state.chain, answer);
  SpanOf(state.deliveries, answer);
  SpanOf(state.bookings, answer);
  SpanOf(state.tasks, answer);
  SpanOf(state.remedies, answer);
  SpanOf(state.resolutions, answer);
}

// Whether something went back for a presentation that is still open; the answer to a refused one
// says nothing about another.
bool IsAnswerSeen(const Dossier& d) {
  std::vector<CallId> refused;
  bool has_open = false;
  for (const PresentationView* view : d.CountingViews()) {
    if (ReadView(*view).value == Presentation::kRefused) {
      refused.push_back(view->call);
    } else {
      has_open = true;
    }
  }
  const auto answers = d.CountingDeliveries();
  return std::any_of(answers.begin(), answers.end(), [&](const auto* e) {
    if (!e->body.task_id.empty() && !e->body.is_content_served) return false;
    return !has_open || std::find(refused.begin(), refused.end(), e->body.call) == refused.end();
  });
}

Situation SituationOf(const Dossier& d, const Answer& answer,
                      const std::vector<Anomaly>& anomalies) {
  Situation s;
  const Axes& axes = answer.axes;
  s.presentation = axes.presentation.value;
  s.execution = axes.execution.value;
  s.settlement = axes.settlement.value;
  s.liveness = axes.liveness.value;
  s.delivery = axes.delivery.value;
  s.is_conflict = IsInConflict(d, axes, anomalies);
  s.is_upfront = d.flow() == PaymentFlow::kUpfront;
  s.is_answer_seen = IsAnswerSeen(d);
  s.is_run_awaited = d.is_watched && !s.is_answer_seen;
  const std::optional<absl::Time> deadline = DeadlineOf(d);
  s.is_time_over = deadline.has_value() && d.as_of >= *deadline;
  s.is_time_left = !s.is_time_over;
  const std::vector<const PresentationView*> views = d.CountingViews();
  s.is_nonce_consumed =
      FindUnseenUse(d).has_value() || std::any_of(views.begin(), views.end(), [](const auto* view) {
        return view->invalid != nullptr &&
               view->invalid->body.reason_class == ReasonClass::kNonceConsumed;
      });
  s.is_tool_idempotent = d.is_tool_idempotent;
  s.is_purchase_blocked = IsPurchaseBlocked(d);
  s.is_same_slot_free = d.terms.has_value() && !d.terms->slot.empty() && !s.is_purchase_blocked;
  s.is_result_in_hand = d.role != LedgerRole::kBuyer || s.delivery == Delivery::kAcknowledged;
  return s;
}

void AddTimes(const Dossier& d, const Situation& s, Answer& answer) {
  const std::optional<absl::Time> deadline = DeadlineOf(d);
  if (IsUndecided(s.liveness) && d.valid_before().has_value()) {
    answer.exposed_until = d.valid_before();
    answer.decidable_at = deadline;
  }
  absl::Time lease_end = absl::InfinitePast();
  for (const Run& run : d.runs) {
    if (run.finish == nullptr) lease_end = std::max(lease_end, run.lease_until);
  }
  answer.fresh_until = NextAfter(d.as_of, answer.fresh_until, deadline);
  answer.fresh_until = NextAfter(d.as_of, answer.fresh_until, lease_end);
  const bool waits = answer.buyer_advice == Advice::kWait || answer.seller_advice == Advice::kWait;
  if (waits && answer.fresh_until != absl::InfiniteFuture())
    answer.retry_after = answer.fresh_until;
  // Whatever bears on a neighbour's clock bears on this one's advice only, never on its label.
}

}  // namespace

Answer Evaluate(const State& state, const Surroundings& around, LedgerRole role, absl::Time as_of) {
  const Dossier d(state, around, role, as_of);
  Answer answer;
  answer.version = state.version;
  answer.axes = ReadAxes(d);
  answer.anomalies = ReadAnomalies(d, answer.axes);

  Situation situation = SituationOf(d, answer, answer.anomalies);
  const Closing closing = ReadClosing(d, answer.axes);
  situation.is_closed = closing.is_closed;
  if (closing.has_late_evidence) {
    answer.anomalies.push_back(Anomaly::kLateEvidence);
    std::sort(answer.anomalies.begin(), answer.anomalies.end());
  }

  answer.label = LabelOf(situation);
  const Advices advices = AdviceFor(answer.label, situation);
  answer.seller_advice = advices.seller;
  answer.buyer_advice = advices.buyer;
  answer.may_pay_again = MayPayAgain(answer.label, situation);
  answer.may_call_again = MayCallAgain(answer.label, situation);
  answer.chain_lookup = LookupFor(d, answer.axes.liveness.value);
  AddTimes(d, situation, answer);

  if (state.subject.kind == SubjectKind::kChallenge && !state.challenges.empty()) {
    DescribeChallenge(state, answer);
  } else {
    DescribeSettlement(d, answer);
  }
  FindLatestChainTx(d, answer);
  FindSpan(state, answer);
  answer.reason = ReasonFor(answer.label, situation, d);
  return answer;
}

}  // namespace tally::settlement

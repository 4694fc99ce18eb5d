#include "ledger/settlement/decide.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ledger/crypto/sha256.h"
#include "ledger/settlement/dossier.h"

namespace tally::settlement {
namespace {

using Outcome = std::variant<ClaimGranted, ClaimRefused>;

bool IsSameRequest(const Resource& resource, const std::string& arguments_sha256,
                   const ClaimExecution& claim) {
  const bool same_arguments = arguments_sha256.empty() || claim.arguments_sha256.empty() ||
                              arguments_sha256 == claim.arguments_sha256;
  return same_arguments && !Disagree(resource, claim.resource);
}

bool IsWeakAndUnnamed(const Dossier& d, const ClaimExecution& claim) {
  const bool is_weak = claim.is_weak || (d.terms.has_value() && d.terms->is_weak);
  return is_weak && claim.purchase_id.empty();
}

std::int64_t NextFence(const State& state) {
  std::int64_t fence = 0;
  for (const Evidence<ExecutionClaimed>& e : state.claims) fence = std::max(fence, e.body.fence);
  return fence + 1;
}

ClaimRefused Refuse(ClaimRefusal refusal, absl::string_view reason, absl::string_view holder = "") {
  return {refusal, std::string(reason), std::string(holder)};
}

// What this payment is bound to: the first claim, else what it was presented with and has standing.
std::optional<ClaimRefused> RefuseForBinding(const Dossier& d, const ClaimExecution& claim) {
  constexpr absl::string_view kElsewhere =
      "This payment is bound to another endpoint, tool or arguments.";
  for (const Evidence<ExecutionClaimed>& e : d.state.claims) {
    if (IsSameRequest(e.body.resource, e.body.arguments_sha256, claim)) continue;
    return Refuse(ClaimRefusal::kOtherRequest, kElsewhere, e.body.execution_id);
  }
  if (!d.state.claims.empty() || !d.has_standing) return std::nullopt;
  // One presentation with standing for this very request is enough.
  bool is_presented = false;
  for (const PresentationView* view : d.CountingViews()) {
    if (view->presented == nullptr) continue;
    is_presented = true;
    if (IsSameRequest(view->resource, view->presented->body.arguments_sha256, claim)) {
      return std::nullopt;
    }
  }
  if (!is_presented) return std::nullopt;
  return Refuse(ClaimRefusal::kOtherRequest, kElsewhere);
}

// Why a run that did not end in a way that frees it stands in the way of another.
ClaimRefused RefuseForRun(const Run& run, absl::Time now) {
  if (run.has_failed()) {
    return Refuse(ClaimRefusal::kFailedOnce,
                  "It failed after it started: only an idempotent tool or an operator may run it "
                  "again.",
                  run.execution_id);
  }
  if (now < run.lease_until) {
    return Refuse(ClaimRefusal::kAlreadyGranted, "A run that started still holds its lease.",
                  run.execution_id);
  }
  return Refuse(ClaimRefusal::kRunUnknown,
                "A run started and its lease is over: whether it ran is not known.",
                run.execution_id);
}

// Whether what was seen to run, claimed or not, leaves room for another run.
std::optional<ClaimRefused> RefuseForRuns(const Dossier& d, bool may_repeat, absl::Time now) {
  constexpr absl::string_view kRan = "It ran: fetch the result, do not run it again.";
  for (const Run& run : d.runs) {
    if (run.has_succeeded()) return Refuse(ClaimRefusal::kAlreadyRan, kRan, run.execution_id);
  }
  for (const auto* e : d.CountingDeliveries()) {
    if (e->body.is_content_served) return Refuse(ClaimRefusal::kAlreadyRan, kRan);
  }
  for (const Run& run : d.runs) {
    if (run.is_aborted() || (run.has_failed() && may_repeat)) continue;
    return RefuseForRun(run, now);
  }
  return std::nullopt;
}

const Run* FindRun(const Dossier& d, const std::string& execution_id) {
  const auto run = std::find_if(d.runs.begin(), d.runs.end(),
                                [&](const Run& r) { return r.execution_id == execution_id; });
  return run == d.runs.end() ? nullptr : &*run;
}

// The claim that still stands. Only an end that names its execution frees it: one that names the
// call alone can come from somebody who was refused and gave up.
const Evidence<ExecutionClaimed>* FindHolder(const Dossier& d) {
  for (const Evidence<ExecutionClaimed>& e : d.state.claims) {
    const Run* run = FindRun(d, e.body.execution_id);
    const bool is_freed =
        run != nullptr && run->is_end_named() && (run->is_aborted() || run->has_failed());
    if (!is_freed) return &e;
  }
  return nullptr;
}

// A repeat asks for an answer that was lost on the way: its caller has not run yet.
bool IsRepeat(const Dossier& d, const Evidence<ExecutionClaimed>& held,
              const ClaimExecution& claim) {
  return held.body.request_id == claim.request_id && held.stamp.recorder == claim.caller &&
         FindRun(d, held.body.execution_id) == nullptr;
}

Outcome AnswerForHolder(const Dossier& d, const Evidence<ExecutionClaimed>& held,
                        const ClaimExecution& claim, absl::Time now) {
  const ExecutionClaimed& body = held.body;
  if (!IsRepeat(d, held, claim)) {
    return Refuse(ClaimRefusal::kAlreadyGranted,
                  "Another claim holds this execution and did not end in a way that frees it.",
                  body.execution_id);
  }
  if (now >= body.lease_until) {
    return Refuse(
        ClaimRefusal::kAlreadyGranted,
        "The lease of this grant is over: if nothing ran, record the end as aborted, then "
        "claim again.",
        body.execution_id);
  }
  return ClaimGranted{body.execution_id, body.fence, body.lease_until, true, {}};
}

// Of the payments of one slot at most one can land, so at most one may run.
std::optional<ClaimRefused> RefuseForSibling(const State& sibling, absl::Time now) {
  const Dossier d(sibling, {}, LedgerRole::kSeller, now);
  const Evidence<ExecutionClaimed>* held = FindHolder(d);
  // What failed is not paid for.
  const std::optional<ClaimRefused> ran = RefuseForRuns(d, true, now);
  if (held == nullptr && !ran.has_value()) return std::nullopt;
  return Refuse(ClaimRefusal::kAlreadyGranted,
                "Another payment with the same nonce holds an execution or ran, and only one of "
                "them can move money.",
                held == nullptr ? ran->holder_execution_id : held->body.execution_id);
}

Event ClaimEvent(const State& state, const ClaimExecution& claim, ExecutionClaimed body,
                 absl::Time now) {
  Event event;
  // One event a fence: two grants with the same one could not both be stored.
  event.event_id =
      "clm_" + crypto::Sha256Hex(absl::StrCat(state.subject.key, "\nfence\n", body.fence));
  event.subject = state.subject;
  event.occurred_time = now;
  event.recorder = claim.caller;
  event.source = SourceKind::kApi;
  event.body = std::move(body);
  return event;
}

ClaimGranted Grant(const State& state, const ClaimExecution& claim, absl::string_view execution_id,
                   absl::Time now) {
  ClaimGranted granted;
  granted.execution_id = std::string(execution_id);
  granted.fence = NextFence(state);
  granted.lease_until = now + claim.lease;
  ExecutionClaimed body{
      granted.execution_id,   granted.fence,       claim.request_id,         claim.resource,
      claim.arguments_sha256, granted.lease_until, claim.is_tool_idempotent, claim.slot};
  granted.events.push_back(ClaimEvent(state, claim, std::move(body), now));
  return granted;
}

}  // namespace

Outcome Decide(const State& state, const std::vector<const State*>& slot_siblings,
               const ClaimExecution& claim, absl::string_view execution_id, absl::Time now) {
  const Dossier d(state, {}, LedgerRole::kSeller, now);
  if (!state.resolutions.empty()) {
    return Refuse(ClaimRefusal::kClosed, "An adjusting entry closed this settlement.");
  }
  if (IsWeakAndUnnamed(d, claim)) {
    return Refuse(ClaimRefusal::kNotUnique,
                  "Several payments can share this id: a payment-identifier is needed too.");
  }
  if (std::optional<ClaimRefused> refused = RefuseForBinding(d, claim); refused.has_value()) {
    return *std::move(refused);
  }
  const bool may_repeat =
      claim.is_tool_idempotent || d.is_tool_idempotent || claim.is_operator_override;
  if (std::optional<ClaimRefused> refused = RefuseForRuns(d, may_repeat, now);
      refused.has_value()) {
    return *std::move(refused);
  }
  if (const Evidence<ExecutionClaimed>* held = FindHolder(d); held != nullptr) {
    return AnswerForHolder(d, *held, claim, now);
  }
  for (const State* sibling : slot_siblings) {
    if (std::optional<ClaimRefused> refused = RefuseForSibling(*sibling, now);
        refused.has_value()) {
      return *std::move(refused);
    }
  }
  return Grant(state, claim, execution_id, now);
}

}  // namespace tally::settlement

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

// What this payment is bound to: the first claim, else what it was presented with and has standing.
bool IsBoundElsewhere(const Dossier& d, const ClaimExecution& claim) {
  for (const Evidence<ExecutionClaimed>& e : d.state.claims) {
    if (!IsSameRequest(e.body.resource, e.body.arguments_sha256, claim)) return true;
  }
  if (!d.state.claims.empty() || !d.has_standing) return false;
  // One presentation with standing for this very request is enough.
  bool is_presented = false;
  for (const PresentationView* view : d.CountingViews()) {
    if (view->presented == nullptr) continue;
    is_presented = true;
    if (IsSameRequest(view->resource, view->presented->body.arguments_sha256, claim)) return false;
  }
  return is_presented;
}

bool IsWeakAndUnnamed(const Dossier& d, const ClaimExecution& claim) {
  const bool is_weak = d.terms.has_value() && d.terms->is_weak;
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

const Run* FindRun(const Dossier& d, const std::string& execution_id) {
  const auto run = std::find_if(d.runs.begin(), d.runs.end(),
                                [&](const Run& r) { return r.key == execution_id; });
  return run == d.runs.end() ? nullptr : &*run;
}

// Why a run that was not aborted stands in the way of another; never freed by time alone.
ClaimRefused RefuseForRun(const Run& run, absl::Time now) {
  if (run.has_succeeded()) {
    return Refuse(ClaimRefusal::kAlreadyRan, "It ran: fetch the result, do not run it again.",
                  run.key);
  }
  if (run.has_failed()) {
    return Refuse(ClaimRefusal::kFailedOnce,
                  "It failed after it started: only an idempotent tool or an operator may run it "
                  "again.",
                  run.key);
  }
  if (now < run.lease_until) {
    return Refuse(ClaimRefusal::kAlreadyGranted, "A run that started still holds its lease.",
                  run.key);
  }
  return Refuse(ClaimRefusal::kRunUnknown,
                "A run started and its lease is over: whether it ran is not known.", run.key);
}

// Whether the runs so far leave room for another.
std::optional<ClaimRefused> RefuseForRuns(const Dossier& d, const ClaimExecution& claim,
                                          absl::Time now) {
  const bool may_repeat =
      claim.is_tool_idempotent || d.is_tool_idempotent || claim.is_operator_override;
  for (const Run& run : d.runs) {
    if (run.is_aborted() || (run.has_failed() && may_repeat)) continue;
    return RefuseForRun(run, now);
  }
  return std::nullopt;
}

// The claim that still stands: granted, and its run did not end in a way that frees it.
const ExecutionClaimed* FindHolder(const Dossier& d) {
  for (const Evidence<ExecutionClaimed>& e : d.state.claims) {
    const Run* run = FindRun(d, e.body.execution_id);
    const bool is_freed = run != nullptr && (run->is_aborted() || run->has_failed());
    if (!is_freed) return &e.body;
  }
  return nullptr;
}

Event ClaimEvent(const State& state, const ClaimExecution& claim, ExecutionClaimed body,
                 absl::Time now) {
  Event event;
  event.event_id =
      "clm_" + crypto::Sha256Hex(absl::StrCat(state.subject.key, "\n", claim.request_id));
  event.subject = state.subject;
  event.occurred_time = now;
  event.source = SourceKind::kApi;
  event.body = std::move(body);
  return event;
}

}  // namespace

Outcome Decide(const State& state, const ClaimExecution& claim, absl::string_view execution_id,
               absl::Time now) {
  const Dossier d(state, {}, LedgerRole::kSeller, now);
  // A repeat is answered as the first was, so that an answer lost on the way can be asked for
  // again; but a run that was seen to start had its answer, and must not be started a second time.
  for (const Evidence<ExecutionClaimed>& e : state.claims) {
    if (e.body.request_id != claim.request_id) continue;
    if (!IsSameRequest(e.body.resource, e.body.arguments_sha256, claim)) {
      return Refuse(ClaimRefusal::kOtherRequest,
                    "This request id was granted for another endpoint, tool or arguments.",
                    e.body.execution_id);
    }
    const auto run = FindRun(d, e.body.execution_id);
    if (run != nullptr && !run->is_aborted()) {
      return RefuseForRun(*run, now);
    }
    return ClaimGranted{e.body.execution_id, e.body.fence, e.body.lease_until, true, {}};
  }
  if (!state.resolutions.empty()) {
    return Refuse(ClaimRefusal::kClosed, "An adjusting entry closed this settlement.");
  }
  if (IsWeakAndUnnamed(d, claim)) {
    return Refuse(ClaimRefusal::kNotUnique,
                  "Several payments can share this id: a payment-identifier is needed too.");
  }
  if (IsBoundElsewhere(d, claim)) {
    return Refuse(ClaimRefusal::kOtherRequest,
                  "This payment is bound to another endpoint, tool or arguments.");
  }
  if (std::optional<ClaimRefused> refused = RefuseForRuns(d, claim, now); refused.has_value()) {
    return *refused;
  }
  if (const ExecutionClaimed* holder = FindHolder(d); holder != nullptr) {
    return Refuse(ClaimRefusal::kAlreadyGranted,
                  "Another claim holds this execution and did not end in a way that frees it.",
                  holder->execution_id);
  }
  ClaimGranted granted;
  granted.execution_id = std::string(execution_id);
  granted.fence = NextFence(state);
  granted.lease_until = now + claim.lease;
  ExecutionClaimed body{granted.execution_id,    granted.fence,          claim.request_id,
                        claim.resource,          claim.arguments_sha256, granted.lease_until,
                        claim.is_tool_idempotent};
  granted.events.push_back(ClaimEvent(state, claim, std::move(body), now));
  return granted;
}

}  // namespace tally::settlement

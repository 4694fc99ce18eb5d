#include "ledger/settlement/anomalies.h"

#include <algorithm>
#include <map>

#include "ledger/settlement/axes.h"
#include "ledger/settlement/index.h"

namespace tally::settlement {
namespace {

struct Case {
  const Dossier& d;
  const Axes& axes;
};

template <typename T, typename Predicate>
bool Any(const std::vector<T>& list, Predicate predicate) {
  return std::any_of(list.begin(), list.end(), predicate);
}

bool HasRunTwice(const Case& c) {
  // A failed run may be tried again; two that did not fail are two.
  return std::count_if(c.d.runs.begin(), c.d.runs.end(),
                       [](const Run& run) { return !run.is_aborted() && !run.has_failed(); }) > 1;
}

bool IsRunUnverified(const Case& c) {
  const auto started = [](const Run& run) { return run.start != nullptr && !run.is_aborted(); };
  if (!Any(c.d.runs, started)) return false;
  if (Any(c.d.state.verifications, [](const auto& e) {
        return e.body.outcome == VerificationOutcome::kValid ||
               e.body.outcome == VerificationOutcome::kNotRequired;
      })) {
    return false;
  }
  if (c.axes.settlement.value == Settlement::kSettled) return false;
  // Silence of a recorder that does not see the facilitator proves nothing.
  return Any(c.d.state.starts, [](const auto& e) { return e.stamp.observes.facilitator; });
}

// What was presented after the other was served is a purchase of its own, whatever terms it
// answered.
bool IsServedBeforePresented(const State& served, const State& presented) {
  return !presented.presentations.empty() && Any(served.deliveries, [&](const auto& e) {
    return e.body.is_content_served &&
           e.stamp.occurred < presented.presentations.front().stamp.occurred;
  });
}

bool IsPaidTwice(const Case& c) {
  if (c.axes.settlement.value != Settlement::kSettled) return false;
  return Any(c.d.around.purchase_mates, [&](const State* mate) {
    if (IsServedBeforePresented(*mate, c.d.state) || IsServedBeforePresented(c.d.state, *mate)) {
      return false;
    }
    const Dossier other(*mate, {}, c.d.role, c.d.as_of);
    return ReadAxes(other).settlement.value == Settlement::kSettled;
  });
}

template <typename Field>
bool DiffersFromAccepted(const Case& c, Field field) {
  return Any(c.d.CountingViews(), [&](const PresentationView* view) {
    if (view->presented == nullptr) return false;
    const PaymentPresented& paid = view->presented->body;
    if (!paid.terms.has_value() || !paid.accepted.has_value()) return false;
    const auto [signed_value, accepted_value] = field(*paid.terms, *paid.accepted);
    return !signed_value.empty() && !accepted_value.empty() && signed_value != accepted_value;
  });
}

using Pair = std::pair<std::string, std::string>;

bool IsAmountOff(const Case& c) {
  return DiffersFromAccepted(
      c, [](const Terms& terms, const Offer& offer) { return Pair(terms.amount, offer.amount); });
}
bool IsPayeeOff(const Case& c) {
  return DiffersFromAccepted(c, [](const Terms& terms, const Offer& offer) {
    // A role such as "merchant" is no address to compare with.
    const bool is_address = offer.pay_to.rfind("0x", 0) == 0;
    return Pair(terms.pay_to, is_address ? offer.pay_to : "");
  });
}
bool IsAssetOff(const Case& c) {
  return DiffersFromAccepted(
      c, [](const Terms& terms, const Offer& offer) { return Pair(terms.asset, offer.asset); });
}

template <typename Check>
bool AnyReading(const Case& c, Check check) {
  return Any(c.d.state.settle_answers, [&](const auto& e) { return check(e.body.reading); }) ||
         Any(c.d.CountingDeliveries(),
             [&](const auto* e) { return e->body.receipt.has_value() && check(*e->body.receipt); });
}

bool IsNetworkOff(const Case& c) {
  if (!c.d.terms.has_value()) return false;
  const std::string& network = c.d.terms->network;
  return DiffersFromAccepted(c,
                             [](const Terms& terms, const Offer& offer) {
                               return Pair(terms.network, offer.network);
                             }) ||
         AnyReading(c, [&](const SettleReading& reading) {
           return !reading.network.empty() && reading.network != network;
         });
}

bool IsPayerOff(const Case& c) {
  if (!c.d.terms.has_value()) return false;
  const std::string& payer = c.d.terms->payer;
  const auto differs = [&](const std::string& said) { return !said.empty() && said != payer; };
  return Any(c.d.state.verifications, [&](const auto& e) { return differs(e.body.payer); }) ||
         AnyReading(c, [&](const SettleReading& reading) { return differs(reading.payer); });
}

bool IsResourceOff(const Case& c) {
  // Run for one thing, paid for another; or the payment names another URL than the challenge did.
  for (const Run& run : c.d.runs) {
    for (const PresentationView& view : c.d.views) {
      if (!run.call.is_empty() && run.call == view.call && Disagree(run.resource, view.resource)) {
        return true;
      }
    }
  }
  return Any(c.d.CountingViews(), [&](const PresentationView* view) {
    if (view->presented == nullptr || view->presented->body.resource_url.empty()) return false;
    return Any(c.d.around.challenges, [&](const State* challenge) {
      return Any(challenge->challenges, [&](const auto& e) {
        return !e.body.resource_url.empty() &&
               e.body.resource_url != view->presented->body.resource_url;
      });
    });
  });
}

bool IsSettledOver(const Case& c) {
  if (!c.d.terms.has_value()) return false;
  const absl::StatusOr<Uint256> authorised = Uint256::Parse(c.d.terms->amount);
  if (!authorised.ok()) return false;
  return AnyReading(c, [&](const SettleReading& reading) {
    const absl::StatusOr<Uint256> settled = Uint256::Parse(reading.amount);
    return settled.ok() && *settled > *authorised;
  });
}

bool IsReused(const Case& c) {
  // Two requests, not one presented again: other resource or other arguments, both past
  // verification.
  const std::vector<const PresentationView*> views = c.d.CountingViews();
  for (const PresentationView* a : views) {
    for (const PresentationView* b : views) {
      if (a->presented == nullptr || b->presented == nullptr || a->valid == nullptr) continue;
      if (b->valid == nullptr) continue;
      if (Disagree(a->resource, b->resource) ||
          a->presented->body.arguments_sha256 != b->presented->body.arguments_sha256) {
        return true;
      }
    }
  }
  return false;
}

bool IsContentServed(const Case& c) {
  return Any(c.d.CountingDeliveries(), [](const auto* e) { return e->body.is_content_served; });
}

bool IsServedUnpaid(const Case& c) {
  if (!IsContentServed(c)) return false;
  if (c.axes.settlement.value == Settlement::kFailed) return true;
  return c.axes.settlement.value != Settlement::kSettled && IsDead(c.axes.liveness.value);
}

bool IsServedBeforeSettled(const Case& c) {
  if (!IsContentServed(c)) return false;
  if (c.axes.settlement.value == Settlement::kOpen) return true;
  if (c.axes.settlement.value == Settlement::kNotRequested) return c.d.role == LedgerRole::kSeller;
  if (c.axes.settlement.value != Settlement::kSettled) return false;
  // Settled since: served before it all the same.
  const std::optional<absl::Time> settled = c.axes.settlement.anchor.time;
  return c.axes.settlement.anchor.word == Word::kFacilitator && settled.has_value() &&
         Any(c.d.CountingDeliveries(), [&](const auto* e) {
           return e->body.is_content_served && e->stamp.occurred < *settled;
         });
}

bool IsReceiptUnfounded(const Case& c) {
  const bool is_promised = Any(c.d.CountingDeliveries(), [](const auto* e) {
    return e->body.receipt.has_value() && e->body.receipt->outcome == SettleOutcome::kSettled;
  });
  const bool is_seen_unsettled = !c.d.attempts.empty() &&
                                 c.axes.settlement.value != Settlement::kSettled &&
                                 c.axes.settlement.value != Settlement::kHeld &&
                                 c.axes.settlement.value != Settlement::kReturned;
  return (is_promised && is_seen_unsettled) ||
         (c.axes.settlement.value == Settlement::kSettled && IsDead(c.axes.liveness.value));
}

bool IsAnswerPayable(const Case& c) {
  return Any(c.d.state.deliveries, [](const auto& e) { return !e.body.payable_doors.empty(); });
}
bool IsUnreadable(const Case& c) {
  return Any(c.d.state.presentations, [](const auto& e) { return !e.body.terms.has_value(); });
}
bool DoDoorsDisagree(const Case& c) {
  return Any(c.d.state.deliveries, [](const auto& e) { return e.body.doors_disagree; });
}
bool IsInArguments(const Case& c) {
  return Any(c.d.state.presentations, [](const auto& e) { return e.body.is_payment_in_arguments; });
}
bool HasDuplicateKeys(const Case& c) {
  return Any(c.d.state.presentations, [](const auto& e) { return !e.body.duplicate_keys.empty(); });
}

bool IsTaskWorkingAfterPreflight(const Case& c) {
  return Any(c.d.state.preflights, [&](const auto& preflight) {
    return Any(c.d.state.tasks, [&](const auto& e) {
      return e.body.status == "working" &&
             (e.body.task_id == preflight.body.task_id || e.body.call == preflight.body.call);
    });
  });
}

bool IsTaskEndedTwice(const Case& c) {
  std::map<std::string, std::string> ends;
  return Any(c.d.state.tasks, [&](const auto& e) {
    const std::string& status = e.body.status;
    if (status != "completed" && status != "failed" && status != "cancelled") return false;
    // The same end seen twice is one end; a second, different one is not.
    const auto [end, is_first] = ends.try_emplace(e.body.task_id, status);
    return !is_first && end->second != status;
  });
}

bool IsUnproven(const Case& c) {
  if (c.d.has_standing) {
    return Any(c.d.views, [](const PresentationView& view) { return !view.is_proven; }) &&
           Any(c.d.views, [&](const PresentationView& view) {
             // The same bytes shown again are a replay, not another claim.
             return !view.is_proven && !c.d.CountsDigest(view.digest);
           });
  }
  return !c.d.views.empty() && Any(c.d.around.slot_siblings, [&](const State* sibling) {
    return HasStanding(*sibling, c.d.role);
  });
}

bool IsReplayedElsewhere(const Case& c) {
  return Any(c.d.views, [&](const PresentationView& a) {
    return Any(c.d.views, [&](const PresentationView& b) {
      return a.digest == b.digest && Disagree(a.resource, b.resource);
    });
  });
}

struct Row {
  Anomaly anomaly;
  bool (*is_there)(const Case&);
};
// Each anomaly is one function and one row.
constexpr Row kRows[] = {
    {Anomaly::kExecutedTwice, HasRunTwice},
    {Anomaly::kExecutedUnverified, IsRunUnverified},
    {Anomaly::kDuplicateSettlement, IsPaidTwice},
    {Anomaly::kAmountMismatch, IsAmountOff},
    {Anomaly::kPayeeMismatch, IsPayeeOff},
    {Anomaly::kAssetMismatch, IsAssetOff},
    {Anomaly::kNetworkMismatch, IsNetworkOff},
    {Anomaly::kPayerMismatch, IsPayerOff},
    {Anomaly::kResourceMismatch, IsResourceOff},
    {Anomaly::kSettledOverAuthorised, IsSettledOver},
    {Anomaly::kAuthorizationReused, IsReused},
    {Anomaly::kServedUnpaid, IsServedUnpaid},
    {Anomaly::kServedBeforeSettled, IsServedBeforeSettled},
    {Anomaly::kReceiptWithoutSettlement, IsReceiptUnfounded},
    {Anomaly::kAnswerExtractableAsPayable, IsAnswerPayable},
    {Anomaly::kPaymentUnreadable, IsUnreadable},
    {Anomaly::kDoorsDisagree, DoDoorsDisagree},
    {Anomaly::kPaymentInArguments, IsInArguments},
    {Anomaly::kTaskWorkingAfterPreflight, IsTaskWorkingAfterPreflight},
    {Anomaly::kTaskEndedTwice, IsTaskEndedTwice},
    {Anomaly::kUnprovenPresentation, IsUnproven},
    {Anomaly::kReplayedElsewhere, IsReplayedElsewhere},
    {Anomaly::kDuplicateKeys, HasDuplicateKeys},
};

}  // namespace

std::vector<Anomaly> ReadAnomalies(const Dossier& dossier, const Axes& axes) {
  const Case c{dossier, axes};
  std::vector<Anomaly> anomalies;
  for (const Row& row : kRows) {
    if (row.is_there(c)) anomalies.push_back(row.anomaly);
  }
  return anomalies;
}

}  // namespace tally::settlement

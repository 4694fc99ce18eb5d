#include "ledger/settlement/label.h"

#include "ledger/settlement/dossier.h"

namespace tally::settlement {
namespace {

using S = Situation;

bool IsSettled(const S& s) { return s.settlement == Settlement::kSettled; }
bool IsOpen(const S& s) { return s.settlement == Settlement::kOpen; }
bool IsUnrequestedOrFailed(const S& s) {
  return s.settlement == Settlement::kNotRequested || s.settlement == Settlement::kFailed;
}
bool HasRun(const S& s) { return s.execution == Execution::kSucceeded; }
bool HasFailed(const S& s) { return s.execution == Execution::kFailed; }
bool IsNotStarted(const S& s) { return s.execution == Execution::kNotStarted; }
bool IsNothingOfARunSeen(const S& s) {
  return IsNotStarted(s) || s.execution == Execution::kUnobserved;
}
bool IsPresented(const S& s) {
  return s.presentation != Presentation::kNone && s.presentation != Presentation::kChallenged;
}

// No money moved for good and none can: dead and unpaid, or given back, which spends the nonce too.
bool IsUnableToPay(const S& s) {
  if (s.settlement == Settlement::kReturned) {
    return IsDead(s.liveness) || s.liveness == Liveness::kSpentByThis;
  }
  return IsDead(s.liveness) && !IsSettled(s) && s.settlement != Settlement::kHeld;
}

struct Rule {
  Label label;
  bool (*fits)(const S&);
};

// The first that fits. The last one always does.
constexpr Rule kRules[] = {
    {Label::kClosed, [](const S& s) { return s.is_closed; }},
    {Label::kConflict, [](const S& s) { return s.is_conflict; }},
    {Label::kPaid,
     [](const S& s) {
       return IsSettled(s) && HasRun(s) &&
              (s.delivery == Delivery::kSent || s.delivery == Delivery::kAcknowledged);
     }},
    {Label::kPaidUndelivered,
     [](const S& s) { return IsSettled(s) && HasRun(s) && s.delivery == Delivery::kWithheld; }},
    {Label::kPaidDeliveryUnknown, [](const S& s) { return IsSettled(s) && HasRun(s); }},
    {Label::kPaidRunDue,
     [](const S& s) {
       return IsSettled(s) && s.is_upfront && s.is_time_left &&
              (IsNotStarted(s) || (s.execution == Execution::kUnobserved && s.is_run_awaited));
     }},
    {Label::kPaidNotRun,
     [](const S& s) { return IsSettled(s) && (IsNotStarted(s) || HasFailed(s)); }},
    {Label::kPaidRunOpen, [](const S& s) { return IsSettled(s); }},
    {Label::kHeld, [](const S& s) { return s.settlement == Settlement::kHeld; }},
    {Label::kRanUnpaid,
     [](const S& s) {
       return HasRun(s) && s.settlement != Settlement::kReturned &&
              (s.settlement == Settlement::kFailed || IsDead(s.liveness));
     }},
    {Label::kRanOpen,
     [](const S& s) {
       return HasRun(s) && (IsOpen(s) || s.settlement == Settlement::kNotRequested);
     }},
    {Label::kFailedOpen,
     [](const S& s) { return HasFailed(s) && IsOpen(s) && !IsDead(s.liveness); }},
    {Label::kNotRunOpen,
     [](const S& s) { return IsNotStarted(s) && IsOpen(s) && !IsDead(s.liveness); }},
    {Label::kToolFailed,
     [](const S& s) {
       return HasFailed(s) && s.settlement != Settlement::kReturned &&
              (IsUnrequestedOrFailed(s) || IsDead(s.liveness));
     }},
    {Label::kNonceConsumed,
     [](const S& s) {
       return s.is_nonce_consumed && !IsDead(s.liveness) &&
              s.presentation == Presentation::kRefused && IsNothingOfARunSeen(s) &&
              IsUnrequestedOrFailed(s);
     }},
    {Label::kRefused,
     [](const S& s) {
       const bool is_upfront_failed = s.is_upfront && s.settlement == Settlement::kFailed;
       return (s.presentation == Presentation::kRefused || is_upfront_failed) &&
              IsNothingOfARunSeen(s) && IsUnrequestedOrFailed(s) && !IsDead(s.liveness);
     }},
    {Label::kExpired,
     [](const S& s) {
       return IsDead(s.liveness) && IsNotStarted(s) && s.settlement != Settlement::kReturned;
     }},
    {Label::kReturned, [](const S& s) { return s.settlement == Settlement::kReturned; }},
    {Label::kUnpaidRunUnknown,
     [](const S& s) {
       return IsDead(s.liveness) &&
              (s.execution == Execution::kUnobserved || s.execution == Execution::kUnknown);
     }},
    {Label::kRunUnknown, [](const S& s) { return s.execution == Execution::kUnknown; }},
    {Label::kInDoubt,
     [](const S& s) {
       return IsPresented(s) &&
              (s.is_answer_seen || (s.is_time_over && s.execution != Execution::kStarted));
     }},
    {Label::kRunning, [](const S& s) { return s.execution == Execution::kStarted; }},
    {Label::kVerified, [](const S& s) { return s.presentation == Presentation::kVerified; }},
    {Label::kPresented, [](const S& s) { return s.presentation == Presentation::kPresented; }},
    {Label::kChallenged, [](const S& s) { return s.presentation == Presentation::kChallenged; }},
    {Label::kInDoubt, [](const S&) { return true; }},
};

// One nonce can't pay twice, so settling again is free of harm; but one that is used can't pay at
// all.
Advice SettleUnlessUsed(const S& s) {
  return s.is_nonce_consumed ? Advice::kLookUpNonce : Advice::kSettleSamePayload;
}
Advice WaitThenAsk(const S& s) { return s.is_time_over ? Advice::kAskCounterparty : Advice::kWait; }
// Paying is advised only while nothing else of the purchase could take the money too.
Advice PayUnlessBlocked(const S& s) { return s.is_purchase_blocked ? Advice::kWait : Advice::kPay; }

}  // namespace

Label LabelOf(const Situation& situation) {
  for (const Rule& rule : kRules) {
    if (rule.fits(situation)) return rule.label;
  }
  return Label::kInDoubt;
}

Advices AdviceFor(Label label, const Situation& s) {
  switch (label) {
    case Label::kClosed:
      return {Advice::kNone, Advice::kNone};
    case Label::kConflict:
      return {Advice::kAskOperator, Advice::kAskOperator};
    case Label::kPaid:
      return {Advice::kNone, s.is_result_in_hand ? Advice::kNone : Advice::kFetchResult};
    case Label::kPaidUndelivered:
    case Label::kPaidDeliveryUnknown:
      return {Advice::kSendAgain, Advice::kFetchResult};
    case Label::kPaidRunDue:
      return {Advice::kRun, Advice::kWait};
    case Label::kPaidNotRun:
      return {Advice::kRefundOrRun, Advice::kClaimRefundOrRun};
    case Label::kPaidRunOpen:
      return {s.execution == Execution::kStarted ? Advice::kWait : Advice::kAskOperator,
              Advice::kAskCounterparty};
    case Label::kHeld:
      return {Advice::kCaptureOrVoid, Advice::kWait};
    case Label::kRanUnpaid:
      return {IsDead(s.liveness) ? Advice::kInvoiceOrWriteOff : SettleUnlessUsed(s),
              Advice::kDoNotCallAgain};
    case Label::kRanOpen:
      return {SettleUnlessUsed(s), WaitThenAsk(s)};
    case Label::kFailedOpen:
    case Label::kNotRunOpen:
      return {Advice::kLookUpNonce, WaitThenAsk(s)};
    case Label::kToolFailed:
      return {Advice::kNone, s.is_tool_idempotent && s.liveness == Liveness::kLive
                                 ? Advice::kRepresentSameAuthorization
                                 : Advice::kAskCounterparty};
    case Label::kNonceConsumed:
      return {Advice::kLookUpNonce, Advice::kLookUpNonce};
    case Label::kRefused:
      return {Advice::kNone, s.is_same_slot_free ? Advice::kResignSameSlot : Advice::kWait};
    case Label::kExpired:
      return {Advice::kNone, PayUnlessBlocked(s)};
    case Label::kReturned:
      return {Advice::kNone, HasRun(s)          ? Advice::kNone
                             : IsUnableToPay(s) ? PayUnlessBlocked(s)
                                                : Advice::kWait};
    case Label::kUnpaidRunUnknown:
      return {Advice::kAskOperator,
              s.is_tool_idempotent ? PayUnlessBlocked(s) : Advice::kAskCounterparty};
    case Label::kRunUnknown:
    case Label::kInDoubt:
      return {Advice::kAskOperator, Advice::kAskCounterparty};
    case Label::kRunning:
    case Label::kVerified:
    case Label::kPresented:
      return {Advice::kWait, Advice::kWait};
    case Label::kChallenged:
      return {Advice::kNone, PayUnlessBlocked(s)};
  }
  return {Advice::kAskOperator, Advice::kAskCounterparty};
}

bool MayPayAgain(Label label, const Situation& s) {
  if (s.is_purchase_blocked || s.is_conflict) return false;
  if (label == Label::kChallenged) return true;
  return IsUnableToPay(s);
}

bool MayCallAgain(Label label, const Situation& s) {
  switch (label) {
    case Label::kChallenged:
    case Label::kRefused:
    case Label::kExpired:
      return true;
    case Label::kReturned:
      return IsNotStarted(s) || s.is_tool_idempotent;
    case Label::kToolFailed:
    case Label::kRunUnknown:
    case Label::kUnpaidRunUnknown:
      return s.is_tool_idempotent;
    case Label::kClosed:
    case Label::kConflict:
    case Label::kPaid:
    case Label::kPaidUndelivered:
    case Label::kPaidDeliveryUnknown:
    case Label::kPaidRunDue:
    case Label::kPaidNotRun:
    case Label::kPaidRunOpen:
    case Label::kHeld:
    case Label::kRanUnpaid:
    case Label::kRanOpen:
    case Label::kFailedOpen:
    case Label::kNotRunOpen:
    case Label::kNonceConsumed:
    case Label::kInDoubt:
    case Label::kRunning:
    case Label::kVerified:
    case Label::kPresented:
      return false;
  }
  return false;
}

}  // namespace tally::settlement

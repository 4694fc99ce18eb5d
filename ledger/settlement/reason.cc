#include "ledger/settlement/reason.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "ledger/settlement/index.h"

namespace tally::settlement {
namespace {

constexpr absl::string_view kHowToFetch =
    "fetch the result through tasks/result or the seller's replay where offered, else ask the "
    "seller with the settlement id";

std::string RefusalWord(const Dossier& d) {
  for (const PresentationView* view : d.CountingViews()) {
    if (view->invalid != nullptr && !view->invalid->body.reason.empty()) {
      return " (" + view->invalid->body.reason + ")";
    }
  }
  return "";
}

std::string FailureWord(const Dossier& d) {
  for (const auto& e : d.state.settle_answers) {
    if (!e.body.reading.reason.empty()) return " (" + e.body.reading.reason + ")";
  }
  for (const auto& e : d.state.deliveries) {
    if (e.body.receipt.has_value() && !e.body.receipt->reason.empty()) {
      return " (" + e.body.receipt->reason + ")";
    }
  }
  return "";
}

std::string UnpaidWord(const Situation& s, const Dossier& d) {
  const std::string failed = FailureWord(d);
  const absl::string_view next =
      s.is_nonce_consumed ? "; its nonce is said to be used: the chain will tell by which payment."
      : s.liveness == Liveness::kLapsed
          ? "; its window is over by our clock: settling once more, or the nonce on chain, will "
            "tell."
          : "; the same payload can still be settled.";
  return absl::StrCat("It ran, and every settlement attempt failed", failed, next);
}

std::string OpenWord(const Situation& s, const Dossier& d) {
  if (s.is_nonce_consumed) {
    return absl::StrCat("It ran; its nonce is used and no transfer of it was seen", FailureWord(d),
                        ": most likely this payment, and the transfer will tell.");
  }
  if (s.settlement != Settlement::kOpen) return "It ran; no settlement was requested yet.";
  return absl::StrCat("It ran; the settlement is not decided", FailureWord(d),
                      ": money may have moved or still may.");
}

std::string DoubtWord(const Situation& s) {
  if (s.is_answer_seen) return "An answer was seen that does not say whether it ran or settled.";
  if (s.presentation == Presentation::kNone) return "Nothing of the payment itself is on file.";
  return "The time is over, and nothing says whether it ran or settled.";
}

std::string DeadWord(Liveness liveness) {
  switch (liveness) {
    case Liveness::kSpentByOther:
      return "its nonce was spent by another payment";
    case Liveness::kCancelled:
      return "it was cancelled on chain";
    case Liveness::kExpiredUnused:
      return "it expired unused";
    case Liveness::kLive:
    case Liveness::kLapsed:
    case Liveness::kSpentByThis:
    case Liveness::kNotProvable:
      return "it can't be used";
  }
  return "it can't be used";
}

std::string ConflictWord(const Dossier& d) {
  const bool has_rival =
      std::any_of(d.around.slot_siblings.begin(), d.around.slot_siblings.end(),
                  [&](const State* sibling) { return HasStanding(*sibling, d.role); });
  if (has_rival) return "two payments with standing share one nonce, and only one can land";
  return "what ran or settled goes beyond what was authorised";
}

}  // namespace

std::string ReasonFor(Label label, const Situation& s, const Dossier& d) {
  switch (label) {
    case Label::kClosed:
      // Versions have no gaps: as many as there are entries means that nothing else is on file.
      return d.state.version > static_cast<std::int64_t>(d.state.resolutions.size())
                 ? "An operator's adjusting entry closed it, and nothing newer changed it."
                 : "An operator's adjusting entry is all that is on file under this id.";
    case Label::kConflict:
      return absl::StrCat("A person must look: ", ConflictWord(d), ".");
    case Label::kPaid:
      return "It ran, the payment settled, and the result was delivered.";
    case Label::kPaidUndelivered:
      return absl::StrCat("It ran and the payment settled, but the result was withheld: ",
                          kHowToFetch, "; do not pay again.");
    case Label::kPaidDeliveryUnknown:
      return absl::StrCat("It ran and the payment settled; no delivery was seen: ", kHowToFetch,
                          ".");
    case Label::kPaidRunDue:
      return "Paid up front; the run is due.";
    case Label::kPaidNotRun:
      return "The payment settled, but the tool did not do its work: a refund or a run is owed.";
    case Label::kPaidRunOpen:
      return "The payment settled; whether the tool ran is not known.";
    case Label::kHeld:
      return "The money is in escrow: it is to be captured or given back.";
    case Label::kRanUnpaid:
      return IsDead(s.liveness)
                 ? absl::StrCat("It ran, and the payment can never settle: ", DeadWord(s.liveness),
                                ".")
                 : UnpaidWord(s, d);
    case Label::kRanOpen:
      return OpenWord(s, d);
    case Label::kFailedOpen:
      return "The tool failed; the settlement is not decided: look the nonce up.";
    case Label::kNotRunOpen:
      return "It did not run; the settlement is not decided: look the nonce up.";
    case Label::kToolFailed:
      return IsDead(s.liveness)
                 ? absl::StrCat("The tool failed and nothing was paid: ", DeadWord(s.liveness), ".")
                 : "The tool failed and nothing was settled; the authorization is not dead.";
    case Label::kNonceConsumed:
      return absl::StrCat("Refused", RefusalWord(d),
                          ", and its nonce is used: only the transfer on chain can tell by which "
                          "payment.");
    case Label::kRefused:
      return absl::StrCat("The payment was refused", RefusalWord(d),
                          " before anything ran; the authorization is not dead, so only the same "
                          "slot may be signed again.");
    case Label::kExpired:
      return absl::StrCat("It did not run and was not paid: ", DeadWord(s.liveness), ".");
    case Label::kReturned:
      return "The money came back.";
    case Label::kUnpaidRunUnknown:
      return absl::StrCat("Nothing was paid: ", DeadWord(s.liveness),
                          "; whether it ran is not known.");
    case Label::kRunUnknown:
      return "It started, its lease is over, and nothing settled: whether it ran is not known.";
    case Label::kInDoubt:
      return DoubtWord(s);
    case Label::kRunning:
      return "The tool is running.";
    case Label::kVerified:
      return "The payment was verified; nothing ran yet.";
    case Label::kPresented:
      return "The payment was presented; no answer yet.";
    case Label::kChallenged:
      return s.is_purchase_blocked
                 ? "Terms were offered, but another payment of this purchase is not dead."
                 : "Terms were offered; nothing was presented.";
  }
  return "";
}

}  // namespace tally::settlement

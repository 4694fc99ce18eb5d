// The answer to "did it run, was it paid, may I retry?": axes with anchors, one label, one advice
// for each party. Pure functions of (state, surroundings, as-of).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "ledger/settlement/state.h"

namespace tally::settlement {

enum class Presentation { kNone, kChallenged, kPresented, kVerified, kRefused };
enum class Execution { kUnobserved, kNotStarted, kStarted, kSucceeded, kFailed, kUnknown };
enum class Settlement { kNotRequested, kOpen, kSettled, kFailed, kHeld, kReturned };
enum class Liveness {
  kLive,
  kLapsed,
  kSpentByThis,
  kSpentByOther,
  kCancelled,
  kExpiredUnused,
  kNotProvable
};
enum class Delivery { kUnobserved, kWithheld, kSent, kAcknowledged };

enum class Label {
  kClosed,
  kConflict,
  kPaid,
  kPaidUndelivered,
  kPaidDeliveryUnknown,
  kPaidRunDue,
  kPaidNotRun,
  kPaidRunOpen,
  kHeld,
  kRanUnpaid,
  kRanOpen,
  kFailedOpen,
  kNotRunOpen,
  kToolFailed,
  kNonceConsumed,
  kRefused,
  kExpired,
  kReturned,
  kUnpaidRunUnknown,
  kRunUnknown,
  kInDoubt,
  kRunning,
  kVerified,
  kPresented,
  kChallenged,
};

enum class Advice {
  kNone,
  kPay,
  kWait,
  kFetchResult,
  kSendAgain,
  kRun,
  kRefundOrRun,
  kClaimRefundOrRun,
  kAskCounterparty,
  kAskOperator,
  kCaptureOrVoid,
  kSettleSamePayload,
  kInvoiceOrWriteOff,
  kDoNotCallAgain,
  kLookUpNonce,
  kRepresentSameAuthorization,
  kResignSameSlot,
};

enum class Anomaly {
  kExecutedTwice,
  kExecutedUnverified,
  kDuplicateSettlement,
  kAmountMismatch,
  kPayeeMismatch,
  kAssetMismatch,
  kNetworkMismatch,
  kPayerMismatch,
  kResourceMismatch,
  kSettledOverAuthorised,
  kAuthorizationReused,
  kServedUnpaid,
  kServedBeforeSettled,
  kReceiptWithoutSettlement,
  kAnswerExtractableAsPayable,
  kPaymentUnreadable,
  kDoorsDisagree,
  kPaymentInArguments,
  kTaskWorkingAfterPreflight,
  kTaskEndedTwice,
  kUnprovenPresentation,
  kReplayedElsewhere,
  kLateEvidence,
  kVerifierDisagrees,  // not given yet: the ledger checks no signature
  kDuplicateKeys,
};

inline constexpr int kLabelCount = 25;

// Whose word makes a value so.
enum class Word {
  kNobody,
  kClock,
  kRecorder,
  kCounterparty,
  kFacilitator,
  kOwnCheck,  // not given yet: the ledger checks no signature
  kOperator,
  kChainSeen,
  kChainSafe,
  kChainFinalised
};
struct Anchor {
  Word word = Word::kNobody;
  std::int64_t position = 0;  // 0: no event, such as the clock or silence
  std::optional<absl::Time> time;
};

template <typename T>
struct Axis {
  T value{};
  Anchor anchor;
};

struct Axes {
  Axis<Presentation> presentation;
  Axis<Execution> execution;
  Axis<Settlement> settlement;
  Axis<Liveness> liveness{Liveness::kNotProvable, {}};
  Axis<Delivery> delivery;
};

// Logs of one contract, as eth_getLogs takes them: topics by position, at each any of these. No
// topics: none that could be told.
struct LogFilter {
  std::string contract;
  std::vector<std::string> events;  // signatures of the first position's topics, in its order
  std::vector<std::vector<std::string>> topics;
};

// The exact call that would decide on chain.
struct ChainLookup {
  std::string network;
  std::string contract;
  std::string method;  // authorizationState(address,bytes32)
  std::vector<std::string> arguments;
  std::optional<int>
      bit;  // of the word returned, set when the nonce is used; none: a boolean says it
  LogFilter logs;
  std::optional<absl::Time> after;
};

struct Answer {
  Axes axes;
  Label label = Label::kInDoubt;
  Advice seller_advice = Advice::kNone;
  Advice buyer_advice = Advice::kNone;
  std::string reason;  // one sentence
  bool may_pay_again = false;
  bool may_call_again = false;
  std::optional<absl::Time> retry_after;
  std::optional<absl::Time> decidable_at;
  std::optional<absl::Time> exposed_until;
  // When this answer may change by the clock alone; infinite future when never.
  absl::Time fresh_until = absl::InfiniteFuture();
  std::optional<ChainLookup> chain_lookup;
  std::vector<Anomaly> anomalies;  // in enum order, no duplicates

  // What it is about, from evidence with standing; empty when unknown.
  std::string settlement_id;
  std::string challenge_id;
  std::string purchase_id;
  Resource resource;
  std::string scheme;
  std::string amount;
  std::string asset;
  std::string network;
  std::string payer;
  std::string pay_to;
  std::string chain_tx;  // latest
  std::int64_t version = 0;
  std::optional<absl::Time> first_time;  // occurred
  std::optional<absl::Time> last_time;
};

// What else bears on the answer. Bounded by the store: at most 100 of each.
struct Surroundings {
  const State* slot_facts = nullptr;         // chain facts filed under the slot
  std::vector<const State*> slot_siblings;   // other settlements of the slot
  std::vector<const State*> purchase_mates;  // other settlements of the purchase
  std::vector<const State*>
      session_mates;  // for a challenge: payments of its session, endpoint and tool
  std::vector<const State*> challenges;  // challenges its presentations answer
  bool has_more = false;                 // a bound was hit: answer conservatively
};

// `role` is the ledger's; `as_of` the judging time. Total: every state has exactly one label.
Answer Evaluate(const State& state, const Surroundings& around, LedgerRole role, absl::Time as_of);

}  // namespace tally::settlement

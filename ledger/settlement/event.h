// What happened, past tense, append-only: the bodies, their envelope, and what they are filed
// under. A body holds only what its own line and its own call's request say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/types/chain.h"
#include "ledger/types/ids.h"
#include "ledger/types/uint256.h"

namespace tally::settlement {

enum class LedgerRole { kSeller, kBuyer, kFacilitator };

// What an event is filed under. Most events know their settlement; a challenge comes before there
// is one, an unreadable payment never gets one, and chain facts about a nonce belong to every
// settlement of that slot.
enum class SubjectKind { kSettlement, kChallenge, kCall, kSlot };
struct Subject {
  SubjectKind kind = SubjectKind::kSettlement;
  std::string key;  // settlement id, challenge id, `session request-id`, or slot text
  friend auto operator<=>(const Subject&, const Subject&) = default;
};
Subject SubjectOf(const SettlementId& id);
Subject SubjectOf(const ChallengeId& id);
Subject SubjectOf(const CallId& call);
Subject SlotSubject(absl::string_view slot);
// The key of a call: session, a blank, JSON text of the request id.
std::string CallKey(const CallId& call);

enum class PaymentFlow { kAuthorization, kUpfront, kEscrow };

// An entry of a challenge's `accepts`, or what a payment says it accepted.
struct Offer {
  std::string scheme;
  std::string network;
  std::string asset;
  std::string pay_to;
  std::string amount;  // canonical decimal; empty when unknown
  std::int64_t max_timeout_seconds = 0;
  PaymentFlow flow = PaymentFlow::kAuthorization;
  std::string digest;  // SHA-256 hex of the entry's RFC 8785 form; empty when unknown
  friend bool operator==(const Offer&, const Offer&) = default;
};

// The signed terms of a payment.
struct Terms {
  std::string recipe;  // name of the id recipe
  bool is_weak = false;
  std::string slot;  // empty where the chain makes nothing unique
  std::string scheme;
  std::string network;
  std::string asset;
  std::string payer;
  std::string pay_to;
  std::string amount;  // canonical decimal; empty when the payload does not say
  std::optional<absl::Time> valid_after;
  std::optional<absl::Time> valid_before;
  std::string nonce;
  std::string
      payload_digest;  // SHA-256 hex of the presented bytes' canonical form, signature included
  friend bool operator==(const Terms&, const Terms&) = default;
};

enum class SettleOutcome { kSettled, kFailed, kUnresolved };
enum class ReasonClass {
  kNone,
  kRefused,
  kNonceConsumed,
  kOpen,
  kExpired,
  kFailedAfterBroadcast,
  kUnknown
};

// What a settle answer or a receipt says, as read.
struct SettleReading {
  SettleOutcome outcome = SettleOutcome::kUnresolved;
  ReasonClass reason_class = ReasonClass::kNone;
  std::string reason;
  std::string chain_tx;
  std::string network;
  std::string payer;
  std::string amount;  // canonical decimal; empty when not said
  std::vector<std::string> failed_checks;
  friend bool operator==(const SettleReading&, const SettleReading&) = default;
};

// --- bodies -------------------------------------------------------------------------------------

struct ChallengeIssued {
  CallId call;
  Resource resource;
  std::string resource_url;
  std::string arguments_sha256;
  std::string purchase_id;    // minted by the recorder or carried as payment-identifier
  bool is_id_minted = false;  // the challenge id was on the wire
  std::vector<Offer> offers;
  std::string error_text;
  int x402_version = 2;
  friend bool operator==(const ChallengeIssued&, const ChallengeIssued&) = default;
};

struct PaymentPresented {
  CallId call;
  Resource resource;
  std::string resource_url;  // echoed, not signed
  std::string arguments_sha256;
  std::optional<Terms> terms;  // none when the payment can't be read
  std::optional<Offer> accepted;
  std::string challenge_id;  // echoed, not signed
  std::string payment_identifier;
  std::string unreadable_reason;  // why there are no terms: field, seen, wanted
  std::vector<std::string> duplicate_keys;
  bool is_payment_in_arguments = false;
  friend bool operator==(const PaymentPresented&, const PaymentPresented&) = default;
};

enum class VerificationOutcome { kValid, kInvalid, kNoAnswer, kNotRequired };
struct VerificationCompleted {
  std::string session;
  std::string exchange;  // (session, exchange) is one occurrence, whoever saw it
  std::string facilitator;
  std::string payload_digest;
  std::optional<Terms> terms;
  VerificationOutcome outcome = VerificationOutcome::kNoAnswer;
  ReasonClass reason_class = ReasonClass::kNone;
  std::string reason;
  std::string payer;
  friend bool operator==(const VerificationCompleted&, const VerificationCompleted&) = default;
};

enum class PreflightOutcome { kPaymentRequired, kStandbyRejected, kOther };
struct PreflightResolved {
  CallId call;
  std::string task_id;
  PreflightOutcome outcome = PreflightOutcome::kPaymentRequired;
  friend bool operator==(const PreflightResolved&, const PreflightResolved&) = default;
};

struct ExecutionClaimed {
  std::string execution_id;
  std::int64_t fence = 0;
  std::string request_id;  // of the claim; the same for every retry of that claim
  Resource resource;
  std::string arguments_sha256;
  absl::Time lease_until;  // ledger's clock
  bool is_tool_idempotent = false;
  std::string slot;  // of the payment, where the claim showed it; see Terms
  friend bool operator==(const ExecutionClaimed&, const ExecutionClaimed&) = default;
};

struct ExecutionStarted {
  CallId call;
  std::string execution_id;
  Resource resource;
  std::optional<absl::Time> lease_until;
  friend bool operator==(const ExecutionStarted&, const ExecutionStarted&) = default;
};

enum class ExecutionOutcome { kSucceeded, kToolError, kCrashed, kAborted };
struct ExecutionFinished {
  CallId call;
  std::string execution_id;
  Resource resource;
  ExecutionOutcome outcome = ExecutionOutcome::kSucceeded;
  bool is_tool_idempotent = false;
  friend bool operator==(const ExecutionFinished&, const ExecutionFinished&) = default;
};

enum class SettlementPhase { kUnknown, kBeforeHandler, kAfterHandler, kCancel };
struct SettlementRequested {
  std::string session;
  std::string exchange;
  std::string facilitator;
  SettlementPhase phase = SettlementPhase::kUnknown;
  std::string payload_digest;
  std::optional<Terms> terms;
  std::optional<Offer> requirements;
  friend bool operator==(const SettlementRequested&, const SettlementRequested&) = default;
};

struct SettlementAnswered {
  std::string session;
  std::string exchange;
  std::string facilitator;
  SettlementPhase phase = SettlementPhase::kUnknown;
  std::string payload_digest;
  std::optional<Terms> terms;
  PaymentFlow flow = PaymentFlow::kAuthorization;
  SettleReading reading;
  std::string transport_error;  // no answer came, and why
  int http_status = 0;          // never decides
  friend bool operator==(const SettlementAnswered&, const SettlementAnswered&) = default;
};

// The seller says that it will not settle: a promise, not an anchor. Filed, and without an effect
// on an answer yet.
struct PaymentReleased {
  std::string reason;
  friend bool operator==(const PaymentReleased&, const PaymentReleased&) = default;
};

enum class ChainFact { kTransfer, kUsed, kCancelled, kUnused, kRetracted };
enum class Finality { kSeen, kSafe, kFinalised };
struct ChainObserved {
  ChainFact fact = ChainFact::kTransfer;
  Finality finality = Finality::kSeen;
  std::string network;
  std::string asset;
  std::string from;
  std::string to;     // transfers only
  std::string value;  // transfers only
  std::string nonce;
  std::string slot;  // what the nonce is unique in; see Terms
  std::string chain_tx;
  std::optional<std::int64_t> log_index;
  std::int64_t block = 0;
  std::string block_hash;
  std::optional<absl::Time> block_time;
  friend bool operator==(const ChainObserved&, const ChainObserved&) = default;
};

// What went back to the buyer for a call that carried a payment.
struct ResponseDelivered {
  CallId call;
  Resource resource;
  bool is_rpc_error = false;
  bool is_error = false;
  bool is_content_served = false;  // content without an error
  std::optional<SettleReading> receipt;
  std::vector<std::string> payable_doors;  // doors through which a client may read a challenge
  bool doors_disagree = false;
  std::string error_text;  // weak evidence
  std::string task_id;
  friend bool operator==(const ResponseDelivered&, const ResponseDelivered&) = default;
};

// What the buyer's client or accounting reported. Touches no axis; reconciliation reads it.
struct PurchaseBooked {
  CallId call;
  std::string tool;
  std::optional<bool> is_error;
  std::optional<bool> payment_made;
  std::optional<SettleReading> receipt;
  friend bool operator==(const PurchaseBooked&, const PurchaseBooked&) = default;
};

struct TaskStatusObserved {
  CallId call;
  std::string task_id;
  std::string status;  // working, input_required, completed, failed, cancelled
  friend bool operator==(const TaskStatusObserved&, const TaskStatusObserved&) = default;
};

enum class Remedy { kRefund, kRun };
// The buyer asks for the money or the run. Filed, and without an effect on an answer yet.
struct RemedyRequested {
  Remedy remedy = Remedy::kRefund;
  std::string reason;
  friend bool operator==(const RemedyRequested&, const RemedyRequested&) = default;
};

enum class Resolution { kRefunded, kWrittenOff, kComped, kVoid };
struct SettlementResolved {
  Resolution resolution = Resolution::kVoid;
  std::string reason;
  std::int64_t closes_version = 0;  // the version it closes
  friend bool operator==(const SettlementResolved&, const SettlementResolved&) = default;
};

using Body =
    std::variant<ChallengeIssued, PaymentPresented, VerificationCompleted, PreflightResolved,
                 ExecutionClaimed, ExecutionStarted, ExecutionFinished, SettlementRequested,
                 SettlementAnswered, PaymentReleased, ChainObserved, ResponseDelivered,
                 PurchaseBooked, TaskStatusObserved, RemedyRequested, SettlementResolved>;
absl::string_view TypeNameOf(const Body& body);  // "ChallengeIssued", …

// --- envelope -----------------------------------------------------------------------------------

enum class SourceKind { kApi, kTap, kProxy, kImport, kHook };
// What a source can observe, so that silence can be told from absence.
struct Observes {
  bool mcp = false;
  bool facilitator = false;
  bool execution = false;
  bool client_report = false;
  bool chain = false;
  friend bool operator==(const Observes&, const Observes&) = default;
};

// A wire document as seen. Above 64 KiB the bytes are dropped and length and digest stay.
struct RawDocument {
  std::string bytes;
  std::string sha256;  // hex
  std::uint64_t length = 0;
  friend bool operator==(const RawDocument&, const RawDocument&) = default;
};
inline constexpr std::size_t kRawDocumentBytesMax = 64 * 1024;
// Of an event as a message: the request's on the wire, the envelope's in a store.
inline constexpr std::size_t kEventBytesMax = 256 * 1024;

// An event as its recorder hands it over.
struct Event {
  std::string
      event_id;  // the same value for every retry of the same occurrence; unique in its ledger
  Subject subject;
  absl::Time occurred_time;  // recorder's clock
  std::string recorder;      // authenticated principal
  SourceKind source = SourceKind::kApi;
  Observes observes;
  Body body;
  std::optional<RawDocument> document;
  friend bool operator==(const Event&, const Event&) = default;
};

// An event as the ledger keeps it.
struct RecordedEvent {
  Event event;
  std::int64_t position = 0;  // gap-free and increasing in its ledger, from 1
  std::int64_t version = 0;   // 1, 2, … in its subject
  absl::Time recorded_time;   // ledger's clock
};

}  // namespace tally::settlement

// x402 documents as values: payment requirements, payload, settle and verify answers, in V1 and V2.
// Each has one reader that returns the thing or why it is not one. Facts: x402
// specification V2 and V1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "ledger/json/value.h"
#include "ledger/types/chain.h"
#include "ledger/types/ids.h"
#include "ledger/types/uint256.h"

namespace tally::x402 {

enum class PaymentFlow { kAuthorization, kUpfront, kEscrow };

// One `accepts` entry, V1 or V2, read leniently: what is absent or off is empty, the digest
// is exact.
struct Requirements {
  std::string scheme;
  std::string network;  // CAIP-2 where the name or alias is known, else as written
  std::string asset;    // EVM addresses in lower case
  std::string pay_to;   // EVM addresses in lower case; a role such as "merchant" as written
  std::string amount;   // canonical decimal, else empty
  std::int64_t max_timeout_seconds = 0;  // 0 when unknown
  PaymentFlow flow = PaymentFlow::kAuthorization;
  std::string digest;  // SHA-256 hex of the entry's RFC 8785 form
};
Requirements ReadRequirements(const json::Value& value);

// What the chain makes unique for this payment; empty for kinds that have none.
// Text: `eip3009|network|asset|from|nonce` or `permit2|network|permit2|owner|nonce`.
struct Slot {
  std::string text;
};
Slot Eip3009Slot(const Network& network, const Address& asset, const Address& from,
                 const Bytes32& nonce);
Slot Permit2Slot(const Network& network, const Address& owner, const Uint256& nonce);

enum class Recipe { kEip3009, kPermit2, kPayload };
// "x402-payment-fingerprint/0", "tallystick-settlement/1 permit2", "tallystick-settlement/1
// payload".
absl::string_view NameOf(Recipe recipe);

// The signed terms of a payment, and the ids both sides derive from them.
struct Payment {
  int version = 2;
  Recipe recipe = Recipe::kEip3009;
  bool is_weak = false;  // the id can be shared by several payments
  SettlementId id;
  Slot slot;
  std::string scheme;
  std::string network;  // CAIP-2
  std::string asset;
  std::string payer;
  std::string pay_to;
  std::optional<Uint256> amount;             // the signed maximum for upto
  std::optional<std::int64_t> valid_after;   // unix seconds
  std::optional<std::int64_t> valid_before;  // unix seconds; for Permit2 the deadline
  std::string nonce;
  std::string payload_digest;  // SHA-256 hex of the RFC 8785 form of `payload`, signature included:
                               // two presentations of the same bytes have the same digest
  std::optional<Requirements> accepted;
  std::string resource_url;        // echoed, not signed
  std::string payment_identifier;  // extensions["payment-identifier"].info.id
  std::string challenge_id;        // extensions["tallystick"].info.challengeId, echoed, not signed
};

// Reads a PaymentPayload V1 or V2. `matched` is the requirements the payment was made for: V1
// payloads name no asset and take it from there; a top-level `asset` member is read too.
// DOCUMENT_MALFORMED with metadata field, seen, wanted and "condition" (the word of the fingerprint
// recipe, such as nonce_not_bytes32_hex) when no id can be derived. Nothing is coerced. The body of
// a facilitator request ({paymentPayload, paymentRequirements}) is read as the payment inside it.
absl::StatusOr<Payment> ReadPayment(const json::Value& value,
                                    const std::optional<Requirements>& matched = std::nullopt);

// What may be concluded from a SettleResponse, wherever it stands (facilitator answer, receipt).
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
// The same word means different things at verify and at settle. A settle reason that says nothing
// was broadcast is kOpen when the answer names a chain tx all the same.
ReasonClass ClassifyVerifyReason(absl::string_view reason);
ReasonClass ClassifySettleReason(absl::string_view reason, bool has_chain_tx);

struct SettleAnswer {
  SettleOutcome outcome = SettleOutcome::kUnresolved;
  ReasonClass reason_class = ReasonClass::kNone;
  std::optional<bool> success;  // as said
  std::string reason;           // errorReason
  std::string chain_tx;         // lower case, empty when none
  std::string network;          // CAIP-2 where known, else as written
  std::string payer;
  std::optional<Uint256> amount;
  // json, success-boolean, transaction-string, transaction-hash, network-caip2,
  // error-reason-on-success, error-reason-string, amount-decimal. One is enough for kUnresolved.
  std::vector<std::string> failed_checks;
};
// `value` is a null pointer when the body was no JSON. Never fails: an answer that can't be read is
// unresolved.
SettleAnswer ReadSettleAnswer(const json::Value* value);
// The same from the text of a PAYMENT-RESPONSE header (base64 JSON).
SettleAnswer ReadSettleHeader(absl::string_view header);

struct VerifyAnswer {
  std::optional<bool> is_valid;  // nullopt: no answer that can be read
  std::string reason;
  ReasonClass reason_class = ReasonClass::kNone;
  std::string payer;
};
VerifyAnswer ReadVerifyAnswer(const json::Value* value);

}  // namespace tally::x402

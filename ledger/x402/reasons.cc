// Reason words by phase. Sources: x402 specification V1 and V2 "Error handling", and the words the
// packages @x402/core, @x402/evm 2.27.0 and the Python and Go facilitators say.
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "ledger/x402/documents.h"

namespace tally::x402 {
namespace {

enum class Match { kExact, kPrefix, kSuffix, kContains };

struct Row {
  Match match;
  absl::string_view word;
  ReasonClass at_verify;
  ReasonClass at_settle;
};

constexpr ReasonClass kRefused = ReasonClass::kRefused;
constexpr ReasonClass kConsumed = ReasonClass::kNonceConsumed;
constexpr ReasonClass kOpen = ReasonClass::kOpen;
constexpr ReasonClass kExpired = ReasonClass::kExpired;
constexpr ReasonClass kFailed = ReasonClass::kFailedAfterBroadcast;

// The first row that matches counts, so the words that forbid a retry stand first.
constexpr Row kRows[] = {
    {Match::kContains, "nonce_already_used", kConsumed, kConsumed},
    {Match::kContains, "nonce_used", kConsumed, kConsumed},
    {Match::kSuffix, "invalid_nonce", kConsumed, kConsumed},
    {Match::kContains, "authorization_used", kConsumed, kConsumed},
    {Match::kContains, "authorization_already_used", kConsumed, kConsumed},
    {Match::kContains, "duplicate", kConsumed, kConsumed},
    {Match::kContains, "already_settled", kConsumed, kConsumed},
    {Match::kContains, "already_processed", kConsumed, kConsumed},
    {Match::kContains, "replay", kConsumed, kConsumed},
    {Match::kExact, "invalid_transaction_state", kConsumed, kConsumed},
    // Nobody knows, or not yet.
    {Match::kContains, "pending", kOpen, kOpen},
    {Match::kContains, "timed_out", kOpen, kOpen},
    {Match::kContains, "timeout", kOpen, kOpen},
    {Match::kContains, "in_progress", kOpen, kOpen},
    {Match::kContains, "in_flight", kOpen, kOpen},
    {Match::kContains, "unconfirmed", kOpen, kOpen},
    {Match::kContains, "not_confirmed", kOpen, kOpen},
    {Match::kContains, "unexpected", kOpen, kOpen},
    {Match::kContains, "unknown_settlement_error", kOpen, kOpen},
    {Match::kContains, "internal_error", kOpen, kOpen},
    {Match::kContains, "server_error", kOpen, kOpen},
    {Match::kContains, "network_error", kOpen, kOpen},
    {Match::kContains, "facilitator_error", kOpen, kOpen},
    {Match::kContains, "unavailable", kOpen, kOpen},
    {Match::kContains, "rpc_", kOpen, kOpen},
    {Match::kExact, "settle_failed", kOpen, kOpen},
    {Match::kSuffix, "valid_before", kExpired, kExpired},
    {Match::kContains, "expired", kExpired, kExpired},
    {Match::kContains, "block_height_exceeded", kExpired, kExpired},
    {Match::kContains, "simulation", kRefused, kRefused},
    // At verify nothing was broadcast, whatever the word says.
    {Match::kContains, "transaction_failed", kRefused, kFailed},
    {Match::kContains, "tx_failed", kRefused, kFailed},
    {Match::kContains, "reverted", kRefused, kFailed},
    {Match::kPrefix, "invalid_", kRefused, kRefused},
    {Match::kPrefix, "unsupported_", kRefused, kRefused},
    {Match::kPrefix, "missing_", kRefused, kRefused},
    {Match::kPrefix, "permit2_", kRefused, kRefused},
    {Match::kPrefix, "eip2612_", kRefused, kRefused},
    {Match::kPrefix, "erc20_approval_", kRefused, kRefused},
    {Match::kPrefix, "upto_", kRefused, kRefused},
    {Match::kContains, "insufficient", kRefused, kRefused},
    {Match::kContains, "mismatch", kRefused, kRefused},
    {Match::kContains, "not_supported", kRefused, kRefused},
    {Match::kContains, "not_yet_valid", kRefused, kRefused},
    {Match::kSuffix, "_required", kRefused, kRefused},
    {Match::kExact, "unknown_network", kRefused, kRefused},
};

bool Matches(const Row& row, absl::string_view reason) {
  switch (row.match) {
    case Match::kExact:
      return reason == row.word;
    case Match::kPrefix:
      return absl::StartsWith(reason, row.word);
    case Match::kSuffix:
      return absl::EndsWith(reason, row.word);
    case Match::kContains:
      return absl::StrContains(reason, row.word);
  }
  return false;
}

const Row* FindRow(absl::string_view reason) {
  const std::string lower = absl::AsciiStrToLower(reason);
  for (const Row& row : kRows) {
    if (Matches(row, lower)) return &row;
  }
  return nullptr;
}

}  // namespace

ReasonClass ClassifyVerifyReason(absl::string_view reason) {
  if (reason.empty()) return ReasonClass::kNone;
  const Row* row = FindRow(reason);
  return row == nullptr ? ReasonClass::kUnknown : row->at_verify;
}

ReasonClass ClassifySettleReason(absl::string_view reason, bool has_chain_tx) {
  const Row* row = reason.empty() ? nullptr : FindRow(reason);
  if (row == nullptr) {
    // A failure that names a chain tx and no word we know: what that chain tx did decides.
    if (has_chain_tx) return ReasonClass::kOpen;
    return reason.empty() ? ReasonClass::kNone : ReasonClass::kUnknown;
  }
  switch (row->at_settle) {
    case ReasonClass::kRefused:
    case ReasonClass::kExpired:
      // "Nothing was broadcast" and a chain tx can't both be true.
      return has_chain_tx ? ReasonClass::kOpen : row->at_settle;
    case ReasonClass::kFailedAfterBroadcast:
      // Without a hash the word does not say whether anything was broadcast.
      return has_chain_tx ? row->at_settle : ReasonClass::kUnknown;
    case ReasonClass::kNone:
    case ReasonClass::kNonceConsumed:
    case ReasonClass::kOpen:
    case ReasonClass::kUnknown:
      return row->at_settle;
  }
  return ReasonClass::kUnknown;
}

}  // namespace tally::x402

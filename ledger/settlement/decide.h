// Claims may be refused; facts never are. A claim on execution is granted once.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ledger/settlement/answer.h"

namespace tally::settlement {

struct ClaimExecution {
  SettlementId settlement;
  std::string purchase_id;  // needed when the settlement id is weak
  Resource resource;
  std::string arguments_sha256;
  std::string request_id;  // the same value for every retry of the same purchase
  absl::Duration lease = absl::Minutes(5);
  bool is_tool_idempotent = false;
  bool is_operator_override = false;  // grants anew after tool_error or crashed
};

enum class ClaimRefusal {
  kAlreadyGranted,  // another claim holds it, or it ran
  kOtherRequest,    // other endpoint, tool or arguments under the same payment
  kNotUnique,       // a weak id without a payment-identifier
  kRunUnknown,      // started, lease over: never granted again on time alone
  kAlreadyRan,      // succeeded
  kFailedOnce,      // tool_error or crashed, and the tool is not idempotent
  kClosed,          // an adjusting entry closed the settlement
};
absl::string_view NameOf(ClaimRefusal refusal);

struct ClaimGranted {
  std::string execution_id;
  std::int64_t fence = 0;
  absl::Time lease_until;
  bool is_replayed = false;   // the same request_id was granted before
  std::vector<Event> events;  // to append; empty when replayed
};
struct ClaimRefused {
  ClaimRefusal refusal;
  std::string reason;               // one sentence
  std::string holder_execution_id;  // empty when none
};

// `execution_id` is freshly minted by the caller. Pure.
std::variant<ClaimGranted, ClaimRefused> Decide(const State& state, const ClaimExecution& claim,
                                                absl::string_view execution_id, absl::Time now);

}  // namespace tally::settlement

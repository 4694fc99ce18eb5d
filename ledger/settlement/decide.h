// Claims may be refused; facts never are. A claim on execution is granted once.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ledger/settlement/answer.h"

namespace tally::settlement {

struct ClaimExecution {
  SettlementId settlement;
  bool is_weak = false;     // the payment at hand says so, whatever is on file
  std::string slot;         // of the payment; empty when it has none or is not known
  std::string purchase_id;  // needed when the settlement id is weak
  Resource resource;
  std::string arguments_sha256;
  // Names one handling of one call: the same for every retry of this claim by its one caller.
  std::string request_id;
  std::string caller;  // who claims, authenticated
  absl::Duration lease = absl::Minutes(5);
  bool is_tool_idempotent = false;
  bool is_operator_override = false;  // grants anew after tool_error or crashed
};

enum class ClaimRefusal {
  kAlreadyGranted,  // a claim that was not freed, or a run within its lease, holds it or its slot
  kOtherRequest,    // other endpoint, tool or arguments under the same payment
  kNotUnique,       // a weak id without a payment-identifier
  kRunUnknown,      // started, lease over: never granted again on time alone
  kAlreadyRan,      // succeeded
  kFailedOnce,      // tool_error or crashed, and the tool is not idempotent
  kClosed,          // an adjusting entry closed the settlement
};

struct ClaimGranted {
  std::string execution_id;
  std::int64_t fence = 0;
  absl::Time lease_until;
  bool is_replayed = false;   // a repeat, answered as it was
  std::vector<Event> events;  // to append; empty when replayed
};
struct ClaimRefused {
  ClaimRefusal refusal;
  std::string reason;               // one sentence
  std::string holder_execution_id;  // empty when none
};

// A repeat (same caller, same request_id) is answered as the first claim was, until a mark of its
// run is on file or its lease is over. `slot_siblings`: other settlements of the slot; only one of
// them can move money, so only one buys a run. `execution_id` is freshly minted. Pure.
std::variant<ClaimGranted, ClaimRefused> Decide(const State& state,
                                                const std::vector<const State*>& slot_siblings,
                                                const ClaimExecution& claim,
                                                absl::string_view execution_id, absl::Time now);

}  // namespace tally::settlement

// How a subject is found again: the aliases an event files it under, and which challenge a
// presentation answers. Pure: the stores only keep what these functions return.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger/settlement/event.h"
#include "ledger/settlement/state.h"

namespace tally::settlement {

// Never keys: one alias can name several subjects.
enum class AliasKind {
  kSlot = 1,           // slot text
  kNonce,              // `network from nonce`, for payments whose asset is unknown
  kPurchase,           // purchase id or payment-identifier
  kChainTx,            // chain tx hash
  kCall,               // CallKey
  kTask,               // MCP task id
  kExecution,          // execution id
  kScope,              // `session endpoint tool` of challenges and presentations
  kEchoedChallenge,    // challenge id a presentation echoed
  kAnsweredChallenge,  // challenge id a settlement answers: made by linking, see below
  kExchange,           // `session exchange` of a settle request
};

struct Alias {
  AliasKind kind;
  std::string value;
  friend auto operator<=>(const Alias&, const Alias&) = default;
};

// The aliases under which this event files its subject. kAnsweredChallenge is not among them.
std::vector<Alias> AliasesOf(const Event& event);

// The slot of what the state is about; empty when it has none or nothing on file says it.
std::string SlotOf(const State& state);

// The scope in which an unechoed challenge and a presentation can meet; empty when either part is
// unknown.
std::string ScopeOf(const CallId& call, const Resource& resource);

// Which of `challenges` (states of challenge subjects) this presentation answers: the one it
// echoes, if its terms equal an offered entry; else the latest before it in the same session,
// endpoint and tool whose offers hold what it accepted and whose arguments are not known to differ.
// nullptr when none.
const State* ChooseChallenge(const Evidence<PaymentPresented>& presentation,
                             const std::vector<const State*>& challenges);

// Whether the payment is more than paper: our ledger's own client sent it, a facilitator said
// valid, a settle succeeded, or the chain shows it.
bool HasStanding(const State& state, LedgerRole role);

}  // namespace tally::settlement

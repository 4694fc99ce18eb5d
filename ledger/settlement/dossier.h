// The evidence of one settlement laid out for judging: which presentations there were, which of
// them have standing, which runs, which settle attempts. Internal to this folder.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/settlement/answer.h"

namespace tally::settlement {

// One presentation of the payment: a call that carried it, or only a facilitator's sight of it.
struct PresentationView {
  const Evidence<PaymentPresented>* presented = nullptr;  // nullptr: seen by a facilitator only
  std::string digest;
  CallId call;
  Resource resource;
  Stamp first;  // earliest sight
  const Evidence<VerificationCompleted>* valid = nullptr;
  const Evidence<VerificationCompleted>* invalid = nullptr;
  const Evidence<PreflightResolved>* preflight = nullptr;
  bool is_proven = false;
  Anchor proof;  // whose word gives it standing
};

struct Run {
  std::string execution_id;  // empty when its marks name their call only
  CallId call;
  Resource resource;
  const Evidence<ExecutionStarted>* start = nullptr;
  // The strongest end: succeeded over failed over aborted. None if it was started again since.
  const Evidence<ExecutionFinished>* finish = nullptr;
  const Evidence<ExecutionStarted>* last_start = nullptr;
  absl::Time last_end = absl::InfinitePast();
  absl::Time last_named_end = absl::InfinitePast();  // of those that name the execution
  absl::Time lease_until = absl::InfinitePast();
  // Its latest run ended by a word that names the execution, not only its call.
  bool is_end_named() const {
    return last_named_end > absl::InfinitePast() &&
           (last_start == nullptr || last_named_end >= last_start->stamp.occurred);
  }
  bool is_aborted() const {
    return finish != nullptr && finish->body.outcome == ExecutionOutcome::kAborted;
  }
  bool has_failed() const {
    return finish != nullptr && (finish->body.outcome == ExecutionOutcome::kToolError ||
                                 finish->body.outcome == ExecutionOutcome::kCrashed);
  }
  bool has_succeeded() const {
    return finish != nullptr && finish->body.outcome == ExecutionOutcome::kSucceeded;
  }
};

// One settle attempt; what several sources saw of it is one attempt.
struct Attempt {
  std::string key;  // session and exchange
  std::string digest;
  const Evidence<SettlementRequested>* request = nullptr;
  std::vector<const Evidence<SettlementAnswered>*> answers;
  Settlement outcome = Settlement::kOpen;
  Anchor anchor;
};

struct Dossier {
  Dossier(const State& of, Surroundings beside, LedgerRole ledger_role, absl::Time judged_at);

  const State& state;
  const Surroundings around;  // pointers only: the states stay their owner's
  LedgerRole role;
  absl::Time as_of;

  // From evidence with standing where there is any; the window is the latest in which any bytes of
  // this settlement could settle.
  std::optional<Terms> terms;
  std::vector<PresentationView> views;
  std::vector<Run> runs;
  std::vector<Attempt> attempts;
  std::vector<const Evidence<ChainObserved>*> chain;  // own and the slot's, retracted ones left out
  bool has_standing = false;
  bool is_tool_idempotent = false;
  bool is_watched = false;  // an observer of executions sees this settlement's calls

  // Evidence of an unproven presentation counts only while nothing proven is there.
  bool Counts(const PresentationView& view) const { return !has_standing || view.is_proven; }
  bool CountsDigest(const std::string& digest) const;
  // Whether bytes could still be settled for all we know: not refused for their signature, or the
  // ledger's own party asked for their settlement.
  bool CouldSettle(const std::string& digest) const;
  bool CountsCall(const CallId& call) const;
  std::vector<const PresentationView*> CountingViews() const;
  // Answers to calls that count.
  std::vector<const Evidence<ResponseDelivered>*> CountingDeliveries() const;

  std::optional<absl::Time> valid_before() const;
  // The offer the payment says it accepted.
  const Offer* accepted() const;
  PaymentFlow flow() const;
  // A transfer in the slot that names payee and amount is this payment's or another's; one that
  // does not could be either.
  bool IsThisTransfer(const Evidence<ChainObserved>& fact) const;
  bool IsOtherTransfer(const Evidence<ChainObserved>& fact) const;
  // The recorder's word is the counterparty's where the buyer only hears what the seller says.
  Word WordOfAnswer() const {
    return role == LedgerRole::kBuyer ? Word::kCounterparty : Word::kRecorder;
  }
};

Anchor AnchorOf(Word word, const Stamp& stamp);
Word WordOf(Finality finality);
// Refused because its signature does not verify: nobody can settle it.
bool IsRefusedForSignature(const PresentationView& view);
// Clocks of chain, facilitator and ledger differ by up to this much.
inline constexpr absl::Duration kClockMargin = absl::Seconds(30);
// A run that said nothing of a lease is believed to be running for this long.
inline constexpr absl::Duration kDefaultLease = absl::Minutes(5);

bool IsDead(Liveness liveness);
// Neither dead nor spent by this payment: it could still move money, for all that is known.
bool IsUndecided(Liveness liveness);

// The chain's word that the nonce is used while nothing on file says by what: no transfer that is
// known to be this payment's or another's, and no cancellation. Most likely this payment.
std::optional<Anchor> FindUnseenUse(const Dossier& dossier);

}  // namespace tally::settlement

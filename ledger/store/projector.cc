#include "ledger/store/projector.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/store/neighbourhood.h"

namespace tally::store {
namespace {

using settlement::Alias;
using settlement::AliasKind;
using settlement::ChallengeIssued;
using settlement::Evidence;
using settlement::File;
using settlement::PaymentPresented;
using settlement::State;
using settlement::Subject;
using settlement::SubjectKind;

void MarkStale(StaleSummaries& stale, const Subject& subject, absl::Time at) {
  absl::Time& latest = stale.try_emplace(subject, absl::InfinitePast()).first->second;
  latest = std::max(latest, at);
}

// --- challenge links ----------------------------------------------------------------------------

Alias Link(const Subject& end) { return {AliasKind::kAnsweredChallenge, end.key}; }

absl::Status PutLink(Index& index, const Subject& challenge, const Subject& payer) {
  TALLY_RETURN_IF_ERROR(index.PutAlias(Link(challenge), payer, absl::InfinitePast()));
  return index.PutAlias(Link(payer), challenge, absl::InfinitePast());
}

absl::Status RemoveLink(Index& index, const Subject& challenge, const Subject& payer) {
  TALLY_RETURN_IF_ERROR(index.RemoveAlias(Link(challenge), payer));
  return index.RemoveAlias(Link(payer), challenge);
}

// The challenge this presentation answers, of those filed so far.
absl::StatusOr<const State*> Choose(Index& index, const Evidence<PaymentPresented>& presentation) {
  const PaymentPresented& paid = presentation.body;
  if (!paid.terms.has_value()) return nullptr;
  std::vector<const State*> candidates;
  if (!paid.challenge_id.empty()) {
    TALLY_ASSIGN_OR_RETURN(const State* echoed,
                           index.Load({SubjectKind::kChallenge, paid.challenge_id}));
    // A true echo outranks everything; without its call only the echo can match.
    Evidence<PaymentPresented> echo = presentation;
    echo.body.call = {};
    if (settlement::ChooseChallenge(echo, {echoed}) != nullptr) return echoed;
  }
  const std::string scope = settlement::ScopeOf(paid.call, paid.resource);
  if (scope.empty()) return nullptr;
  TALLY_ASSIGN_OR_RETURN(
      const std::vector<Subject> near,
      index.FindChallengesUpTo(scope, presentation.stamp.occurred, kChallengeCandidatesMax));
  for (const Subject& challenge : near) {
    TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(challenge));
    candidates.push_back(state);
  }
  return settlement::ChooseChallenge(presentation, candidates);
}

// A new presentation adds its own link and moves no other.
absl::Status LinkPresentation(Index& index, const settlement::RecordedEvent& event,
                              StaleSummaries& stale) {
  TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(event.event.subject));
  for (const Evidence<PaymentPresented>& presentation : state->presentations) {
    if (presentation.stamp.event_id != event.event.event_id) continue;
    TALLY_ASSIGN_OR_RETURN(const State* chosen, Choose(index, presentation));
    if (chosen == nullptr) return absl::OkStatus();
    MarkStale(stale, chosen->subject, event.recorded_time);
    return PutLink(index, chosen->subject, state->subject);
  }
  return absl::OkStatus();
}

// Chooses again for every presentation of `payer`, and lets go of what is no longer chosen.
absl::Status Relink(Index& index, const Subject& payer, absl::Time recorded,
                    StaleSummaries& stale) {
  TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(payer));
  std::set<Subject> chosen;
  for (const Evidence<PaymentPresented>& presentation : state->presentations) {
    TALLY_ASSIGN_OR_RETURN(const State* challenge, Choose(index, presentation));
    if (challenge != nullptr) chosen.insert(challenge->subject);
  }
  TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> linked,
                         index.Find(Link(payer), kLatePresentationsMax));
  for (const Subject& challenge : linked) {
    if (chosen.erase(challenge) > 0) continue;
    TALLY_RETURN_IF_ERROR(RemoveLink(index, challenge, payer));
    MarkStale(stale, challenge, recorded);
  }
  for (const Subject& challenge : chosen) {
    TALLY_RETURN_IF_ERROR(PutLink(index, challenge, payer));
    MarkStale(stale, challenge, recorded);
  }
  return absl::OkStatus();
}

// A challenge that arrives after presentations it may have been the answer to.
absl::Status LinkLateChallenge(Index& index, const settlement::RecordedEvent& event,
                               StaleSummaries& stale) {
  const Subject& subject = event.event.subject;
  TALLY_ASSIGN_OR_RETURN(const State* challenge, index.Load(subject));
  TALLY_ASSIGN_OR_RETURN(
      const std::vector<Subject> echoing,
      index.Find({AliasKind::kEchoedChallenge, subject.key}, kLatePresentationsMax));
  std::set<Subject> payers(echoing.begin(), echoing.end());
  for (const Evidence<ChallengeIssued>& issued : challenge->challenges) {
    const std::string scope = settlement::ScopeOf(issued.body.call, issued.body.resource);
    if (scope.empty()) continue;
    TALLY_ASSIGN_OR_RETURN(
        const std::vector<Subject> later,
        index.FindPresentedSince(scope, issued.stamp.occurred, kLatePresentationsMax));
    payers.insert(later.begin(), later.end());
  }
  for (const Subject& payer : payers) {
    TALLY_RETURN_IF_ERROR(Relink(index, payer, event.recorded_time, stale));
  }
  return absl::OkStatus();
}

// --- summaries ----------------------------------------------------------------------------------

absl::StatusOr<bool> IsListed(Index& index, const State& state) {
  switch (state.subject.kind) {
    case SubjectKind::kSettlement:
      return true;
    case SubjectKind::kCall:
      return !state.presentations.empty();
    case SubjectKind::kChallenge: {
      TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> answers,
                             index.Find(Link(state.subject), 1));
      return answers.empty();
    }
    case SubjectKind::kSlot:
      break;
  }
  return false;
}

absl::Status PutSummaryOf(Index& index, const State& state,
                          const settlement::Surroundings& surroundings, absl::Time as_of) {
  const settlement::Answer answer = settlement::Evaluate(state, surroundings, index.role(), as_of);
  Summary summary;
  summary.subject = state.subject;
  summary.first_time = answer.first_time.value_or(as_of);
  summary.last_time = answer.last_time.value_or(as_of);
  summary.label = answer.label;
  summary.fresh_until = answer.fresh_until;
  summary.payer = answer.payer;
  summary.tool = answer.resource.tool;
  TALLY_ASSIGN_OR_RETURN(summary.is_listed, IsListed(index, state));
  return index.PutSummary(summary);
}

// Subjects of one slot that were touched, each with the time of it.
using Touched = std::map<Subject, absl::Time>;

// Each settlement of a slot bears on the label of the others. Beyond the bound one bears on its own
// alone, and its answer is a careful one.
absl::Status SummariseSlot(Index& index, const std::string& slot, absl::Time as_of,
                           Touched touched) {
  TALLY_ASSIGN_OR_RETURN(const State* facts, index.Load(settlement::SlotSubject(slot)));
  TALLY_ASSIGN_OR_RETURN(std::vector<Subject> found,
                         index.Find({AliasKind::kSlot, slot}, kNeighboursMax + 1));
  settlement::Surroundings all;
  all.slot_facts = facts->version > 0 ? facts : nullptr;
  all.has_more = found.size() > kNeighboursMax;
  if (all.has_more) found.pop_back();
  for (const Subject& subject : found) {
    if (subject.kind != SubjectKind::kSettlement) continue;
    TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(subject));
    all.slot_siblings.push_back(state);
    touched.erase(subject);
  }
  for (const State* state : all.slot_siblings) {
    settlement::Surroundings around = all;
    std::erase(around.slot_siblings, state);
    TALLY_RETURN_IF_ERROR(PutSummaryOf(index, *state, around, as_of));
  }
  settlement::Surroundings alone;
  alone.has_more = all.has_more;
  for (const auto& [subject, own] : touched) {
    TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(subject));
    TALLY_RETURN_IF_ERROR(PutSummaryOf(index, *state, alone, own));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Project(Index& index, const settlement::RecordedEvent& event, StaleSummaries& stale) {
  const settlement::Event& what = event.event;
  MarkStale(stale, what.subject, event.recorded_time);
  for (const Alias& alias : settlement::AliasesOf(what)) {
    TALLY_RETURN_IF_ERROR(index.PutAlias(alias, what.subject, what.occurred_time));
  }
  if (std::holds_alternative<PaymentPresented>(what.body)) {
    return LinkPresentation(index, event, stale);
  }
  if (std::holds_alternative<ChallengeIssued>(what.body) &&
      what.subject.kind == SubjectKind::kChallenge) {
    return LinkLateChallenge(index, event, stale);
  }
  return absl::OkStatus();
}

absl::Status Summarise(Index& index, StaleSummaries& stale) {
  std::map<std::string, Touched> slots;
  for (const auto& [subject, as_of] : std::exchange(stale, {})) {
    TALLY_ASSIGN_OR_RETURN(const State* state, index.Load(subject));
    const std::string slot = SlotOf(*state);
    if (slot.empty()) {
      TALLY_RETURN_IF_ERROR(PutSummaryOf(index, *state, {}, as_of));
    } else {
      slots[slot].emplace(subject, as_of);
    }
  }
  for (auto& [slot, touched] : slots) {
    absl::Time as_of = absl::InfinitePast();
    for (const auto& [subject, own] : touched) as_of = std::max(as_of, own);
    touched.erase(settlement::SlotSubject(slot));
    TALLY_RETURN_IF_ERROR(SummariseSlot(index, slot, as_of, std::move(touched)));
  }
  return absl::OkStatus();
}

}  // namespace tally::store

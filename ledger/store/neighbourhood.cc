#include "ledger/store/neighbourhood.h"

#include <set>
#include <string>
#include <utility>

#include "ledger/base/status_macros.h"

namespace tally::store {
namespace {

using settlement::Alias;
using settlement::AliasKind;
using settlement::State;
using settlement::Subject;
using settlement::SubjectKind;

// The aliases of one kind that the evidence in `file` filed its subject under.
template <typename T>
void AddAliases(const Subject& subject, const settlement::File<T>& file, AliasKind kind,
                std::set<Alias>& out) {
  for (const settlement::Evidence<T>& evidence : file) {
    settlement::Event event;
    event.subject = subject;
    event.body = evidence.body;
    for (Alias& alias : settlement::AliasesOf(event)) {
      if (alias.kind == kind) out.insert(std::move(alias));
    }
  }
}

std::set<Alias> SlotsOf(const State& state) {
  std::set<Alias> slots;
  AddAliases(state.subject, state.presentations, AliasKind::kSlot, slots);
  AddAliases(state.subject, state.verifications, AliasKind::kSlot, slots);
  AddAliases(state.subject, state.settle_requests, AliasKind::kSlot, slots);
  AddAliases(state.subject, state.settle_answers, AliasKind::kSlot, slots);
  AddAliases(state.subject, state.claims, AliasKind::kSlot, slots);
  AddAliases(state.subject, state.chain, AliasKind::kSlot, slots);
  return slots;
}

class Collector {
 public:
  Collector(const State& self, const Finder& find, const Loader& load)
      : self_(self), find_(find), load_(load) {}

  absl::StatusOr<Neighbourhood> Collect() && {
    TALLY_RETURN_IF_ERROR(AddSlot());
    TALLY_RETURN_IF_ERROR(AddChallenges());
    TALLY_RETURN_IF_ERROR(AddPurchaseMates());
    TALLY_RETURN_IF_ERROR(AddSessionMates());
    return std::move(result_);
  }

 private:
  absl::Status AddSlot() {
    const std::set<Alias> slots = SlotsOf(self_);
    if (slots.empty() || self_.subject.kind != SubjectKind::kSettlement) return absl::OkStatus();
    TALLY_ASSIGN_OR_RETURN(result_.surroundings.slot_facts,
                           Keep(settlement::SlotSubject(slots.begin()->value)));
    for (const Alias& slot : slots) {
      TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> found, Find(slot));
      for (const Subject& subject : found) {
        TALLY_RETURN_IF_ERROR(AddSettlement(subject, siblings_, around().slot_siblings));
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddChallenges() {
    if (self_.subject.kind == SubjectKind::kChallenge) return absl::OkStatus();
    TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> found,
                           Find({AliasKind::kAnsweredChallenge, self_.subject.key}));
    for (const Subject& subject : found) {
      TALLY_ASSIGN_OR_RETURN(const State* challenge, Keep(subject));
      if (challenge != nullptr) around().challenges.push_back(challenge);
    }
    return absl::OkStatus();
  }

  // A purchase is named by its payments, and by the challenges they answer.
  absl::Status AddPurchaseMates() {
    std::set<Alias> purchases;
    AddAliases(self_.subject, self_.presentations, AliasKind::kPurchase, purchases);
    AddAliases(self_.subject, self_.challenges, AliasKind::kPurchase, purchases);
    for (const State* challenge : around().challenges) {
      AddAliases(challenge->subject, challenge->challenges, AliasKind::kPurchase, purchases);
    }
    for (const Alias& purchase : purchases) {
      TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> found, Find(purchase));
      for (const Subject& subject : found) {
        TALLY_RETURN_IF_ERROR(AddMatesUnder(subject));
      }
    }
    return absl::OkStatus();
  }

  // What was paid in the session of a challenge, for the same tool.
  absl::Status AddSessionMates() {
    std::set<Alias> scopes;
    AddAliases(self_.subject, self_.challenges, AliasKind::kScope, scopes);
    for (const Alias& scope : scopes) {
      // A long session is no reason for doubt: what is beyond the bound is left out.
      TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> found, find_(scope, kNeighboursMax));
      for (const Subject& subject : found) {
        TALLY_RETURN_IF_ERROR(AddSettlement(subject, session_mates_, around().session_mates));
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddMatesUnder(const Subject& subject) {
    if (subject.kind != SubjectKind::kChallenge) {
      return AddSettlement(subject, mates_, around().purchase_mates);
    }
    TALLY_ASSIGN_OR_RETURN(const std::vector<Subject> answers,
                           Find({AliasKind::kAnsweredChallenge, subject.key}));
    for (const Subject& answer : answers) {
      TALLY_RETURN_IF_ERROR(AddSettlement(answer, mates_, around().purchase_mates));
    }
    return absl::OkStatus();
  }

  absl::Status AddSettlement(const Subject& subject, std::set<Subject>& seen,
                             std::vector<const State*>& out) {
    if (subject == self_.subject || subject.kind != SubjectKind::kSettlement) {
      return absl::OkStatus();
    }
    if (seen.count(subject) == 0 && seen.size() >= kNeighboursMax) {
      around().has_more = true;
      return absl::OkStatus();
    }
    if (!seen.insert(subject).second) return absl::OkStatus();
    TALLY_ASSIGN_OR_RETURN(const State* state, Keep(subject));
    if (state != nullptr) out.push_back(state);
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Subject>> Find(const Alias& alias) {
    TALLY_ASSIGN_OR_RETURN(std::vector<Subject> found, find_(alias, kNeighboursMax + 1));
    if (found.size() > kNeighboursMax) {
      around().has_more = true;
      found.resize(kNeighboursMax);
    }
    return found;
  }

  absl::StatusOr<const State*> Keep(const Subject& subject) {
    TALLY_ASSIGN_OR_RETURN(SharedState state, load_(subject));
    if (state->version == 0) return nullptr;
    result_.states.push_back(std::move(state));
    return result_.states.back().get();
  }

  settlement::Surroundings& around() { return result_.surroundings; }

  const State& self_;
  const Finder& find_;
  const Loader& load_;
  std::set<Subject> siblings_;
  std::set<Subject> mates_;
  std::set<Subject> session_mates_;
  Neighbourhood result_;
};

}  // namespace

absl::StatusOr<Neighbourhood> LoadNeighbourhood(const State& state, const Finder& find,
                                                const Loader& load) {
  return Collector(state, find, load).Collect();
}

}  // namespace tally::store

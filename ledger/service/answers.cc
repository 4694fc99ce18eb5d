#include "ledger/service/answers.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/answer_codec.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_codec.h"
#include "ledger/service/checks.h"

namespace tally::service {

using settlement::RecordedEvent;
using settlement::State;
using settlement::Subject;

bool Cut::Holds(const RecordedEvent& event) const {
  return (!as_of.has_value() || event.event.occurred_time <= *as_of) &&
         (!known_at.has_value() || event.recorded_time <= *known_at);
}

absl::StatusOr<Cut> MakeCut(bool has_as_of, const google::protobuf::Timestamp& as_of,
                            bool has_known_at, const google::protobuf::Timestamp& known_at,
                            const Clock& clock) {
  Cut cut;
  TALLY_ASSIGN_OR_RETURN(cut.as_of, ReadTime("as_of", has_as_of, as_of));
  TALLY_ASSIGN_OR_RETURN(cut.known_at, ReadTime("known_at", has_known_at, known_at));
  cut.judged_at = cut.as_of.has_value()      ? *cut.as_of
                  : cut.known_at.has_value() ? *cut.known_at
                                             : clock.Now();
  return cut;
}

absl::StatusOr<std::vector<RecordedEvent>> Answers::History(const Subject& subject) const {
  TALLY_ASSIGN_OR_RETURN(std::vector<RecordedEvent> events, reader_.History(subject));
  if (cut_.is_whole()) return events;
  events.erase(std::remove_if(events.begin(), events.end(),
                              [&](const RecordedEvent& event) { return !cut_.Holds(event); }),
               events.end());
  return events;
}

absl::StatusOr<store::SharedState> Answers::Load(const Subject& subject) const {
  constexpr std::size_t kStatesKeptMax = 1024;
  const auto kept = states_.find(subject);
  if (kept != states_.end()) return kept->second;
  TALLY_ASSIGN_OR_RETURN(const std::vector<RecordedEvent> events, History(subject));
  if (interest_ != nullptr) {
    interest_->Add(subject);
    for (const RecordedEvent& event : events) interest_->AddLinksOf(event.event);
  }
  auto state = std::make_shared<const State>(settlement::Fold(subject, events));
  if (states_.size() >= kStatesKeptMax) states_.clear();
  states_.emplace(subject, state);
  return state;
}

absl::StatusOr<std::vector<Subject>> Answers::Find(const settlement::Alias& alias,
                                                   std::size_t limit) const {
  TALLY_ASSIGN_OR_RETURN(std::vector<Subject> found, reader_.Find(alias, limit));
  if (interest_ == nullptr) return found;
  interest_->Add(alias);
  for (const Subject& subject : found) interest_->Add(subject);
  if (alias.kind == settlement::AliasKind::kAnsweredChallenge) {
    // For its session, in which others may come to answer it.
    const Subject challenge{settlement::SubjectKind::kChallenge, alias.value};
    TALLY_RETURN_IF_ERROR(Load(challenge).status());
  }
  return found;
}

absl::Status Answers::NotRecorded(absl::string_view key) const {
  std::vector<std::string> cuts;
  if (cut_.known_at.has_value()) {
    cuts.push_back(absl::StrCat("recorded up to ", FormatTime(*cut_.known_at)));
  }
  if (cut_.as_of.has_value()) {
    cuts.push_back(absl::StrCat("occurred up to ", FormatTime(*cut_.as_of)));
  }
  const std::string cut = absl::StrJoin(cuts, " and ");
  Error error(
      Reason::kNotRecorded,
      absl::StrCat("nothing ", cut.empty() ? "is recorded" : absl::StrCat("that was ", cut, " is"),
                   " under ", key, " in ledger ", ledger().name));
  error.With("key", key).With("ledger", ledger().name);
  if (!cut.empty()) error.With("cut", cut);
  return error;
}

absl::StatusOr<std::optional<Evaluated>> Answers::Evaluate(const Subject& subject) const {
  TALLY_ASSIGN_OR_RETURN(const store::SharedState state, Load(subject));
  if (state->version == 0) return std::optional<Evaluated>();
  TALLY_ASSIGN_OR_RETURN(
      const store::Neighbourhood around,
      store::LoadNeighbourhood(
          *state,
          [this](const settlement::Alias& alias, std::size_t limit) { return Find(alias, limit); },
          [this](const Subject& other) { return Load(other); }));
  return std::optional(Evaluated{
      subject, settlement::Evaluate(*state, around.surroundings, ledger().role, cut_.judged_at)});
}

absl::StatusOr<std::vector<RecordedEvent>> Answers::Timeline(const Subject& subject) const {
  TALLY_ASSIGN_OR_RETURN(std::vector<RecordedEvent> events, History(subject));
  std::set<std::string> slots;
  if (subject.kind == settlement::SubjectKind::kSettlement) {
    for (const RecordedEvent& recorded : events) {
      for (const settlement::Alias& alias : settlement::AliasesOf(recorded.event)) {
        if (alias.kind == settlement::AliasKind::kSlot) slots.insert(alias.value);
      }
    }
  }
  for (const std::string& slot : slots) {
    TALLY_ASSIGN_OR_RETURN(std::vector<RecordedEvent> facts,
                           History(settlement::SlotSubject(slot)));
    std::move(facts.begin(), facts.end(), std::back_inserter(events));
  }
  std::sort(events.begin(), events.end(), [](const RecordedEvent& a, const RecordedEvent& b) {
    return std::tie(a.event.occurred_time, a.position) <
           std::tie(b.event.occurred_time, b.position);
  });
  return events;
}

void ToProto(const Evaluated& evaluated, v1::Settlement* out) {
  protocol::ToProto(evaluated.answer, out);
  protocol::ToProto(evaluated.subject, out->mutable_subject());
}

void AddTimeline(const std::vector<RecordedEvent>& events, v1::Settlement* out) {
  std::size_t bytes = 0;
  for (const RecordedEvent& event : events) {
    v1::RecordedEvent* to = out->add_timeline();
    protocol::ToProto(event, to);
    bytes += to->ByteSizeLong();
    if (bytes <= kResponseBytesMax || !to->event().has_document()) continue;
    bytes -= to->event().document().content().size();
    to->mutable_event()->mutable_document()->clear_content();
  }
}

}  // namespace tally::service

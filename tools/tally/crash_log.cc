#include "tools/tally/crash_log.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/client/client.h"

namespace tally::cli {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);
constexpr std::size_t kWrongMax = 100;

std::string TextOf(BatchName name) {
  return absl::StrCat("batch ", name.number, " of writer ", name.writer);
}

// Without what the ledger adds.
std::string ContentOf(v1::Event event) {
  event.clear_recorder();
  return event.SerializeAsString();
}

}  // namespace

absl::Status CrashLog::ReadOn(client::Client& client) {
  v1::ReadEventsRequest request;
  request.set_ledger(kCrashLedger);
  request.set_page_size(1000);
  while (true) {
    request.set_after_position(position_);
    TALLY_ASSIGN_OR_RETURN(const v1::ReadEventsResponse page,
                           client.ReadEvents(request, kPatience));
    if (page.events().empty()) break;
    for (const v1::RecordedEvent& recorded : page.events()) Take(recorded);
  }
  EndBatch();
  return absl::OkStatus();
}

void CrashLog::Take(const v1::RecordedEvent& recorded) {
  if (recorded.position() != position_ + 1) {
    Complain(absl::StrCat("position ", position_ + 1, ": saw ", recorded.position()));
  }
  position_ = recorded.position();
  const std::optional<EventName> name = ParseEventId(recorded.event().event_id());
  if (name.has_value()) return TakeOfBatch(*name, recorded);
  EndBatch();
  TakeClaim(recorded);
}

void CrashLog::TakeClaim(const v1::RecordedEvent& recorded) {
  const v1::Event& event = recorded.event();
  if (!event.body().has_execution_claimed()) {
    return Complain(absl::StrCat("position ", position_, ": nobody wrote ", event.event_id()));
  }
  const std::string& execution_id = event.body().execution_claimed().execution_id();
  if (!executions_.emplace(event.subject().settlement_id(), execution_id).second) {
    Complain(absl::StrCat("position ", position_, ": a second claim was granted for ",
                          event.subject().settlement_id()));
  }
}

void CrashLog::TakeOfBatch(const EventName& name, const v1::RecordedEvent& recorded) {
  if (read_ == 0 || name.batch != name_) {
    EndBatch();
    name_ = name.batch;
    batch_ = BatchOf(seed_, name_);
    firsts_[name_] = position_;
    std::int64_t& next = next_[name_.writer];
    if (name_.number != next) {
      Complain(
          absl::StrCat("position ", position_, ": saw ", TextOf(name_), ", wanted number ", next));
    }
    next = name_.number + 1;
  }
  if (name.index != read_ || name.index >= batch_.events_size()) {
    return Complain(absl::StrCat("position ", position_, ": saw event ", name.index, " of ",
                                 TextOf(name_), ", wanted event ", read_));
  }
  if (ContentOf(recorded.event()) != ContentOf(batch_.events(name.index))) {
    Complain(absl::StrCat("position ", position_, ": event ", name.index, " of ", TextOf(name_),
                          " is not what was written"));
  }
  if (++read_ == batch_.events_size()) read_ = 0;
}

void CrashLog::EndBatch() {
  if (read_ > 0) {
    Complain(absl::StrCat(TextOf(name_), ": only ", read_, " of ", batch_.events_size(),
                          " events are on file"));
  }
  read_ = 0;
}

void CrashLog::HoldAgainst(int writer, std::int64_t acknowledged,
                           const std::map<std::int64_t, std::int64_t>& positions,
                           const std::map<std::int64_t, std::string>& executions) {
  const std::int64_t there = next_[writer];
  if (there < acknowledged) {
    Complain(absl::StrCat("writer ", writer, ": ", acknowledged, " batches were acknowledged, ",
                          there, " are on file"));
  }
  if (there > acknowledged + 1) {
    Complain(absl::StrCat("writer ", writer, ": ", there, " batches are on file, ",
                          acknowledged + 1, " were sent"));
  }
  for (const auto& [number, position] : positions) {
    const auto first = firsts_.find({writer, number});
    if (first == firsts_.end() || first->second != position) {
      Complain(absl::StrCat(
          TextOf({writer, number}), " was acknowledged at position ", position, " and is ",
          first == firsts_.end() ? "not there" : absl::StrCat("at ", first->second)));
    }
  }
  for (const auto& [number, execution_id] : executions) {
    const auto claimed = executions_.find(ClaimOf({writer, number})->settlement_id());
    if (claimed == executions_.end() || claimed->second != execution_id) {
      Complain(absl::StrCat("the claim of ", TextOf({writer, number}), " was granted as ",
                            execution_id, " and is ",
                            claimed == executions_.end() ? "not there" : claimed->second));
    }
  }
  // Nobody asks for what lies behind.
  firsts_.erase(firsts_.lower_bound({writer, 0}), firsts_.lower_bound({writer, acknowledged}));
}

void CrashLog::Complain(std::string what) {
  if (wrong_.size() < kWrongMax) wrong_.push_back(std::move(what));
}

}  // namespace tally::cli

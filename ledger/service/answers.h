// Internal to service: the answer for one subject, from the events of a ledger as of a time.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/timestamp.pb.h"
#include "ledger/base/clock.h"
#include "ledger/service/interest.h"
#include "ledger/settlement/answer.h"
#include "ledger/store/event_store.h"
#include "ledger/store/neighbourhood.h"
#include "tallystick/v1/answer.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Which events count, and when the judging is done.
struct Cut {
  std::optional<absl::Time> as_of;     // occurred up to then
  std::optional<absl::Time> known_at;  // recorded up to then
  absl::Time judged_at;                // as_of, else known_at, else now
  bool is_whole() const { return !as_of.has_value() && !known_at.has_value(); }
  bool Holds(const settlement::RecordedEvent& event) const;
};

// Reads `as_of` and `known_at` of a request.
template <typename Request>
absl::StatusOr<Cut> ReadCut(const Request& request, const Clock& clock);
absl::StatusOr<Cut> MakeCut(bool has_as_of, const google::protobuf::Timestamp& as_of,
                            bool has_known_at, const google::protobuf::Timestamp& known_at,
                            const Clock& clock);

struct Evaluated {
  settlement::Subject subject;
  settlement::Answer answer;
};

// Of one request: it remembers what it read. Not thread-safe.
class Answers {
 public:
  // `reader` must outlive this, and so must `interest`: with one, everything that is asked for is
  // added to it.
  Answers(store::Reader& reader, Cut cut, Interest* interest = nullptr)
      : reader_(reader), cut_(cut), interest_(interest) {}

  const store::Ledger& ledger() const { return reader_.ledger(); }
  const Cut& cut() const { return cut_; }

  // Of the events within the cut; version 0 when there are none.
  absl::StatusOr<store::SharedState> Load(const settlement::Subject& subject) const;
  absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                        std::size_t limit) const;
  // NOT_RECORDED, saying of which time when the cut leaves something out.
  absl::Status NotRecorded(absl::string_view key) const;
  // nullopt when nothing within the cut is recorded.
  absl::StatusOr<std::optional<Evaluated>> Evaluate(const settlement::Subject& subject) const;
  // The events of the subject and, of a settlement, of its slot; by occurred time, then position.
  absl::StatusOr<std::vector<settlement::RecordedEvent>> Timeline(
      const settlement::Subject& subject) const;

 private:
  absl::StatusOr<std::vector<settlement::RecordedEvent>> History(
      const settlement::Subject& subject) const;

  store::Reader& reader_;
  Cut cut_;
  Interest* const interest_;
  // Many rows of a list share neighbours: a slot's siblings, a session's payments. Bounded.
  mutable std::map<settlement::Subject, store::SharedState> states_;
};

void ToProto(const Evaluated& evaluated, v1::Settlement* out);
// Documents give way, digest and length staying, when all would not fit one response.
void AddTimeline(const std::vector<settlement::RecordedEvent>& events, v1::Settlement* out);

template <typename Request>
absl::StatusOr<Cut> ReadCut(const Request& request, const Clock& clock) {
  return MakeCut(request.has_as_of(), request.as_of(), request.has_known_at(), request.known_at(),
                 clock);
}

}  // namespace tally::service

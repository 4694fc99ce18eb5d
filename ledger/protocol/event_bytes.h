// Stored events as messages on the wire, moved over part by part: nothing of a body is decoded and
// encoded again, which is most of what an event costs on its way out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/settlement/event.h"

namespace tally::protocol {

// Where the parts of an event are in its envelope. Points into the envelope's bytes.
struct EventParts {
  absl::string_view event_id;
  settlement::SubjectKind subject_kind = settlement::SubjectKind::kSettlement;
  absl::string_view subject_key;
  std::int64_t occurred_time_micros = 0;
  absl::string_view recorder;
  std::uint64_t source = 0;  // v1.SourceKind
  // Bytes of messages; absent where the envelope has none.
  std::optional<absl::string_view> observes;
  std::optional<absl::string_view> body;
  std::optional<absl::string_view> document;
  int body_kind = 0;  // field of v1.EventBody; 0: none
};

// DATA_LOSS when the bytes are no envelope. Parts of a newer binary are left out.
absl::StatusOr<EventParts> FindParts(absl::string_view envelope);

// What an event's row says beside its envelope.
struct EventPlace {
  std::int64_t position = 0;
  std::int64_t version = 0;
  absl::Time recorded_time;
};

// Appends the event to `out`, the bytes of a message that has v1.RecordedEvent as its field
// `field`: the same bytes as those of the RecordedEvent that event_codec.h makes.
void AppendRecordedEvent(int field, const EventParts& parts, const EventPlace& place,
                         std::string* out);

// The field of v1.EventBody for the name of its message, such as "PaymentPresented"; 0: none.
int BodyKindOf(absl::string_view event_type);

}  // namespace tally::protocol

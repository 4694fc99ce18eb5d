// What stands between a request and its first write: limits, and idempotency by event id.
// Everything is checked before anything is filed, so that a refused request leaves no trace.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/settlement/event.h"
#include "ledger/store/event_store.h"

namespace tally::store {

inline constexpr std::size_t kBatchEventsMax = 1000;
inline constexpr std::size_t kBatchBytesMax = 4 * 1024 * 1024;
inline constexpr std::size_t kSubjectKeyBytesMax = 1024;
inline constexpr std::int64_t kVersionMax = (std::int64_t{1} << 20) - 1;

// An event within its limits, as it reads back from the bytes it is stored as.
struct Prepared {
  settlement::Event event;
  std::string envelope;
};
// LIMIT_EXCEEDED, or FIELD_MISSING (event_id, subject). Pure: to be called off the writer's thread.
absl::StatusOr<std::vector<Prepared>> Prepare(std::vector<settlement::Event> events);
std::size_t BytesOf(const std::vector<Prepared>& events);

// One ledger, open for one write.
class OpenLedger {
 public:
  virtual ~OpenLedger() = default;
  virtual absl::StatusOr<std::optional<settlement::RecordedEvent>> FindEvent(
      absl::string_view event_id) = 0;
  virtual absl::StatusOr<std::int64_t> VersionOf(const settlement::Subject& subject) = 0;
  // Writes the event at the next position and the next version of its subject.
  virtual absl::StatusOr<Receipt> File(Prepared event, absl::Time now) = 0;
};

// Files every event, or none: EVENT_ID_REUSED (metadata field, seen, wanted, and event_id,
// stored_sha256, offered_sha256), LIMIT_EXCEEDED. A repeat with the same content gets its first
// receipt.
absl::StatusOr<std::vector<Receipt>> FileAll(OpenLedger& ledger, std::vector<Prepared> events,
                                             absl::Time now);

// What makes two events of one id the same, in hex: all but who handed it over.
std::string ContentSha256(settlement::Event event);

// [a-z0-9][a-z0-9_-]{0,62}, or FIELD_MALFORMED (field "ledger").
absl::Status CheckLedgerName(absl::string_view name);
// Whether `existing` is what `wanted` asks for; LEDGER_EXISTS otherwise.
absl::Status CheckSameLedger(const Ledger& existing, const Ledger& wanted);
absl::Status LedgerNotFound(absl::string_view name);

}  // namespace tally::store

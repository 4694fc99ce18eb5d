// Between rows and values: numbers, keys, checksums. A row whose checksum does not fit is never
// served.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/settlement/event.h"
#include "ledger/settlement/index.h"
#include "ledger/store/admission.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

inline constexpr int kVersionBits = 20;
static_assert(kVersionMax == (std::int64_t{1} << kVersionBits) - 1);

inline std::int64_t EventNo(std::int64_t subject_no, std::int64_t version) {
  return (subject_no << kVersionBits) | version;
}
inline std::int64_t SubjectNoOf(std::int64_t event_no) { return event_no >> kVersionBits; }
inline std::int64_t VersionOf(std::int64_t event_no) { return event_no & kVersionMax; }

// The index key of an event id: short, and not unique. Ids that begin with a time lie by it.
std::int64_t EventKey(absl::string_view ledger, absl::string_view event_id);
// The index key of a subject: short, and not unique.
std::int64_t SubjectKey(std::int64_t ledger_no, const settlement::Subject& subject);
// The index key of an alias: unique enough that nobody can aim at somebody else's.
std::string AliasKey(const settlement::Alias& alias);

// Microseconds; the infinite past and future are the smallest and the largest number.
std::int64_t ToMicros(absl::Time time);
absl::Time FromMicros(std::int64_t micros);

absl::string_view RoleText(settlement::LedgerRole role);
absl::StatusOr<settlement::LedgerRole> RoleFromText(absl::string_view text);

struct EventRow {
  std::int64_t event_no = 0;
  std::int64_t ledger_no = 0;
  std::int64_t position = 0;
  std::int64_t event_key = 0;
  std::int64_t recorded_us = 0;
  std::string envelope;
  std::int64_t checksum = 0;
};

std::int64_t ChecksumOf(const EventRow& row);
// From a query whose columns are those of `events`, in order.
EventRow ReadEventRow(const Query& query);
// DATA_LOSS when the checksum does not fit.
absl::Status Verify(const EventRow& row);
// DATA_LOSS when the checksum does not fit or the envelope can't be read.
absl::StatusOr<settlement::RecordedEvent> Decode(const EventRow& row);

}  // namespace tally::store::sqlite

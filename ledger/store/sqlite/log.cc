#include "ledger/store/sqlite/log.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {
namespace {

constexpr char kRangeSql[] =
    "SELECT event_no, ledger_no, position, event_key, recorded_us, envelope, checksum"
    " FROM events WHERE ledger_no = ? AND position > ? ORDER BY position LIMIT ?";

}  // namespace

absl::StatusOr<std::vector<StoredEvent>> ReadStoredLog(Connection& connection,
                                                       std::int64_t ledger_no,
                                                       const LogRange& range) {
  std::vector<StoredEvent> events;
  std::int64_t at = std::max<std::int64_t>(range.after, 0);
  std::size_t bytes = 0;
  const auto limit = static_cast<std::int64_t>(
      std::min<std::size_t>(range.events_max, std::numeric_limits<std::int32_t>::max()));
  Query query(connection, kRangeSql, ledger_no, at, limit);
  while (query.Next()) {
    EventRow row = ReadEventRow(query);
    TALLY_RETURN_IF_ERROR(Verify(row));
    if (row.position != ++at) {
      return Error(Reason::kDataLoss,
                   absl::StrCat("position ", at, " of ledger number ", ledger_no, " is missing"));
    }
    bytes += row.envelope.size();
    if (bytes > range.bytes_max && !events.empty()) break;
    events.push_back({row.position, VersionOf(row.event_no), FromMicros(row.recorded_us),
                      std::move(row.envelope)});
  }
  return events;
}

}  // namespace tally::store::sqlite

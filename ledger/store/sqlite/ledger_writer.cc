#include "ledger/store/sqlite/ledger_writer.h"

#include <algorithm>
#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/rows.h"

namespace tally::store::sqlite {
namespace {

constexpr char kInsertSql[] =
    "INSERT INTO events (event_no, ledger_no, position, event_key, recorded_us, envelope, checksum)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)";

}  // namespace

LedgerWriter::LedgerWriter(Connection& connection, SubjectCache& cache, LedgerRow ledger,
                           absl::Time last_recorded)
    : connection_(connection),
      cache_(cache),
      ledger_(std::move(ledger)),
      last_recorded_(last_recorded),
      index_(connection, cache, ledger_.ledger_no, ledger_.ledger.role) {}

absl::Time LedgerWriter::Now(const Clock& clock) const {
  return std::max(FromMicros(ToMicros(clock.Now())), last_recorded_);
}

absl::StatusOr<std::vector<Receipt>> LedgerWriter::Append(std::vector<Prepared> events,
                                                          absl::Time now) {
  return FileAll(*this, std::move(events), now);
}

absl::Status LedgerWriter::Flush() { return Summarise(index_, stale_); }

absl::StatusOr<std::optional<settlement::RecordedEvent>> LedgerWriter::FindEvent(
    absl::string_view event_id) {
  return sqlite::FindEvent(connection_, ledger_, event_id);
}

absl::StatusOr<std::int64_t> LedgerWriter::VersionOf(const settlement::Subject& subject) {
  TALLY_ASSIGN_OR_RETURN(const SubjectCache::Entry* entry, cache_.Load(ledger_.ledger_no, subject));
  return entry->state.version;
}

absl::StatusOr<Receipt> LedgerWriter::File(Prepared event, absl::Time now) {
  TALLY_ASSIGN_OR_RETURN(SubjectCache::Entry * entry,
                         cache_.Load(ledger_.ledger_no, event.event.subject));
  ++written_;
  cache_.Number(*entry);
  const std::int64_t version = entry->state.version + 1;
  EventRow row;
  row.event_no = EventNo(entry->subject_no, version);
  row.ledger_no = ledger_.ledger_no;
  row.position = ledger_.ledger.last_position + 1;
  row.event_key = EventKey(ledger_.ledger.name, event.event.event_id);
  row.recorded_us = ToMicros(now);
  row.envelope = std::move(event.envelope);
  row.checksum = ChecksumOf(row);
  Query(connection_, kInsertSql, row.event_no, row.ledger_no, row.position, row.event_key,
        row.recorded_us, Blob{row.envelope}, row.checksum)
      .Run();
  ledger_.ledger.last_position = row.position;
  last_recorded_ = now;
  const settlement::RecordedEvent recorded{std::move(event.event), row.position, version, now};
  settlement::Evolve(entry->state, recorded);
  TALLY_RETURN_IF_ERROR(Project(index_, recorded, stale_));
  appended_.push_back({row.position, version, now, std::move(row.envelope)});
  return Receipt{row.position, version, now, false};
}

absl::StatusOr<settlement::State> LedgerWriter::Load(const settlement::Subject& subject) {
  TALLY_ASSIGN_OR_RETURN(const settlement::State* state, index_.Load(subject));
  return *state;
}

absl::StatusOr<std::vector<settlement::Subject>> LedgerWriter::Find(const settlement::Alias& alias,
                                                                    std::size_t limit) {
  return index_.Find(alias, limit);
}

}  // namespace tally::store::sqlite

#include "ledger/store/sqlite/snapshot_reader.h"

#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/log.h"

namespace tally::store::sqlite {

using settlement::RecordedEvent;
using settlement::Subject;

namespace {

constexpr char kBeginSql[] = "BEGIN";
constexpr char kEndSql[] = "ROLLBACK";

}  // namespace

absl::StatusOr<std::unique_ptr<Reader>> SnapshotReader::Open(
    ReaderPool& pool, std::shared_ptr<const LedgerRow> ledger) {
  TALLY_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection, pool.Take());
  const absl::Status begun = Guard("read", [&] {
    Query(*connection, kBeginSql).Run();
    return absl::OkStatus();
  });
  if (!begun.ok()) {
    pool.GiveBack(std::move(connection));
    return begun;
  }
  return std::unique_ptr<Reader>(
      new SnapshotReader(pool, std::move(connection), std::move(ledger)));
}

SnapshotReader::SnapshotReader(ReaderPool& pool, std::unique_ptr<Connection> connection,
                               std::shared_ptr<const LedgerRow> ledger)
    : pool_(pool), connection_(std::move(connection)), ledger_(std::move(ledger)) {}

SnapshotReader::~SnapshotReader() {
  const absl::Status ended = Guard("end a read", [&] {
    Query(*connection_, kEndSql).Run();
    return absl::OkStatus();
  });
  // What can't end its transaction would hold its moment for ever: the pool opens another.
  pool_.GiveBack(ended.ok() ? std::move(connection_) : nullptr);
}

absl::StatusOr<std::vector<RecordedEvent>> SnapshotReader::History(const Subject& subject) {
  return Guard("read history", [&]() -> absl::StatusOr<std::vector<RecordedEvent>> {
    const std::int64_t subject_no = FindSubjectNo(*connection_, ledger_->ledger_no, subject);
    if (subject_no == 0) return std::vector<RecordedEvent>();
    return ReadSubject(*connection_, subject_no, subject);
  });
}

absl::StatusOr<std::vector<Subject>> SnapshotReader::Find(const settlement::Alias& alias,
                                                          std::size_t limit) {
  return Guard("find", [&]() -> absl::StatusOr<std::vector<Subject>> {
    return FindUnderAlias(*connection_, ledger_->ledger_no, alias, limit);
  });
}

absl::StatusOr<std::vector<RecordedEvent>> SnapshotReader::ReadEvents(std::int64_t after,
                                                                      std::size_t limit) {
  return Guard("read events",
               [&] { return ReadLog(*connection_, ledger_->ledger_no, after, limit); });
}

absl::StatusOr<std::vector<StoredEvent>> SnapshotReader::ReadStored(const LogRange& range) {
  return Guard("read log", [&] { return ReadStoredLog(*connection_, ledger_->ledger_no, range); });
}

absl::StatusOr<std::vector<Summary>> SnapshotReader::List(const ListQuery& query) {
  return Guard("list", [&] { return ReadSummaries(*connection_, ledger_->ledger_no, query); });
}

absl::StatusOr<Totals> SnapshotReader::Count() {
  return Guard("count", [&]() -> absl::StatusOr<Totals> {
    return CountAll(*connection_, ledger_->ledger_no);
  });
}

}  // namespace tally::store::sqlite

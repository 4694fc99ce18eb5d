// One ledger as the writer sees it: its tail, its projections, and the deciders' view of it.
#pragma once

#include <utility>
#include <vector>

#include "ledger/store/admission.h"
#include "ledger/store/sqlite/reads.h"
#include "ledger/store/sqlite/sqlite_index.h"

namespace tally::store::sqlite {

// Used by the writer's thread only, inside an SQL transaction.
class LedgerWriter final : public OpenLedger, public View {
 public:
  LedgerWriter(Connection& connection, SubjectCache& cache, LedgerRow ledger,
               absl::Time last_recorded);

  // Never before an event that is on file.
  absl::Time Now(const Clock& clock) const;
  absl::StatusOr<std::vector<Receipt>> Append(std::vector<Prepared> events, absl::Time now);
  // Brings the summaries up to date with the events appended since the last call.
  absl::Status Flush();
  // What was appended since the last call: to be told after the commit.
  std::vector<StoredEvent> TakeAppended() { return std::exchange(appended_, {}); }
  // How many rows were written: a refusal leaves it as it was.
  std::int64_t written() const { return written_; }

  absl::StatusOr<std::optional<settlement::RecordedEvent>> FindEvent(
      absl::string_view event_id) override;
  absl::StatusOr<std::int64_t> VersionOf(const settlement::Subject& subject) override;
  absl::StatusOr<Receipt> File(Prepared event, absl::Time now) override;

  absl::StatusOr<settlement::State> Load(const settlement::Subject& subject) override;
  absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                        std::size_t limit) override;

 private:
  Connection& connection_;
  SubjectCache& cache_;
  LedgerRow ledger_;  // with the last position
  absl::Time last_recorded_;
  SqliteIndex index_;
  StaleSummaries stale_;
  std::vector<StoredEvent> appended_;
  std::int64_t written_ = 0;
};

}  // namespace tally::store::sqlite

// Reads of one ledger inside one read transaction.
#pragma once

#include <memory>
#include <vector>

#include "ledger/store/event_store.h"
#include "ledger/store/sqlite/reader_pool.h"
#include "ledger/store/sqlite/reads.h"

namespace tally::store::sqlite {

class SnapshotReader final : public Reader {
 public:
  // `pool` must outlive it.
  static absl::StatusOr<std::unique_ptr<Reader>> Open(ReaderPool& pool,
                                                      std::shared_ptr<const LedgerRow> ledger);
  // Ends the transaction and gives the connection back.
  ~SnapshotReader() override;

  const Ledger& ledger() const override { return ledger_->ledger; }
  absl::StatusOr<std::vector<settlement::RecordedEvent>> History(
      const settlement::Subject& subject) override;
  absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                        std::size_t limit) override;
  absl::StatusOr<std::vector<settlement::RecordedEvent>> ReadEvents(std::int64_t after,
                                                                    std::size_t limit) override;
  absl::StatusOr<std::vector<StoredEvent>> ReadStored(const LogRange& range) override;
  absl::StatusOr<std::vector<Summary>> List(const ListQuery& query) override;
  absl::StatusOr<Totals> Count() override;

 private:
  SnapshotReader(ReaderPool& pool, std::unique_ptr<Connection> connection,
                 std::shared_ptr<const LedgerRow> ledger);

  ReaderPool& pool_;
  std::unique_ptr<Connection> connection_;
  const std::shared_ptr<const LedgerRow> ledger_;
};

}  // namespace tally::store::sqlite

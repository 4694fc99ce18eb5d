// The projections of one ledger in the file, inside the writer's SQL transaction.
#pragma once

#include <vector>

#include "ledger/store/projector.h"
#include "ledger/store/sqlite/connection.h"
#include "ledger/store/sqlite/subject_cache.h"

namespace tally::store::sqlite {

class SqliteIndex final : public Index {
 public:
  SqliteIndex(Connection& connection, SubjectCache& cache, std::int64_t ledger_no,
              settlement::LedgerRole role)
      : connection_(connection), cache_(cache), ledger_no_(ledger_no), role_(role) {}

  settlement::LedgerRole role() const override { return role_; }
  absl::StatusOr<const settlement::State*> Load(const settlement::Subject& subject) override;
  absl::StatusOr<std::vector<settlement::Subject>> Find(const settlement::Alias& alias,
                                                        std::size_t limit) override;
  absl::StatusOr<std::vector<settlement::Subject>> FindChallengesUpTo(absl::string_view scope,
                                                                      absl::Time at,
                                                                      std::size_t limit) override;
  absl::StatusOr<std::vector<settlement::Subject>> FindPresentedSince(absl::string_view scope,
                                                                      absl::Time at,
                                                                      std::size_t limit) override;
  absl::Status PutAlias(const settlement::Alias& alias, const settlement::Subject& subject,
                        absl::Time at) override;
  absl::Status RemoveAlias(const settlement::Alias& alias,
                           const settlement::Subject& subject) override;
  absl::Status PutSummary(const Summary& summary) override;

 private:
  Connection& connection_;
  SubjectCache& cache_;
  std::int64_t ledger_no_;
  settlement::LedgerRole role_;
};

// The rows themselves, as a rebuild writes them too.
void WriteSubject(Connection& connection, std::int64_t subject_no, std::int64_t ledger_no,
                  const settlement::Subject& subject);
void WriteAlias(Connection& connection, std::int64_t ledger_no, const settlement::Alias& alias,
                bool is_challenge, absl::Time at, std::int64_t subject_no);
void WriteSummary(Connection& connection, std::int64_t subject_no, const Summary& summary);

}  // namespace tally::store::sqlite

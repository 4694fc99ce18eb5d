// All ledgers as the writer sees them, and what can be asked of it inside a group.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ledger/base/clock.h"
#include "ledger/store/sqlite/ledger_writer.h"

namespace tally::store::sqlite {

// Used by the writer's thread only, inside an SQL transaction.
class Book {
 public:
  Book(Connection& connection, const Clock& clock);

  absl::StatusOr<std::vector<Receipt>> Append(const std::string& ledger,
                                              std::vector<Prepared> events);
  absl::StatusOr<std::vector<Receipt>> Decide(const std::string& ledger, const Decider& decider);
  absl::StatusOr<Ledger> CreateLedger(const Ledger& ledger, bool* is_created);
  // Makes the projections of all ledgers again from their events.
  absl::Status ReplaceProjections();

  // How many rows were written since the group began.
  std::int64_t written() const;
  // Before the commit.
  absl::Status Flush();
  // After it. What was appended, by ledger.
  std::vector<std::shared_ptr<const Appended>> Committed();
  // After a rollback: everything is read again from the file.
  void Forget();

 private:
  absl::StatusOr<LedgerWriter*> Open(const std::string& name);

  Connection& connection_;
  const Clock& clock_;
  SubjectCache cache_;
  std::map<std::string, std::unique_ptr<LedgerWriter>> ledgers_;
  std::int64_t written_ = 0;  // besides events
};

}  // namespace tally::store::sqlite

// The states the writer has folded lately, so that an append need not read its subject's events
// again.
#pragma once

#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/settlement/index.h"
#include "ledger/settlement/state.h"
#include "ledger/store/sqlite/connection.h"

namespace tally::store::sqlite {

// Used by the writer's thread only. Pointers stay valid until Trim() or Clear().
class SubjectCache {
 public:
  struct Entry {
    std::int64_t ledger_no = 0;
    std::int64_t subject_no = 0;  // 0 while nothing is filed
    settlement::State state;
    std::vector<settlement::Alias> filed;  // known to be on file already
  };

  explicit SubjectCache(Connection& connection) : connection_(connection) {}

  absl::StatusOr<Entry*> Load(std::int64_t ledger_no, const settlement::Subject& subject);
  // Gives the subject its number, and its row, if it has none.
  void Number(Entry& entry);

  // Lets go of those used longest ago, after a commit.
  void Trim();
  // Lets go of everything, after a rollback.
  void Clear();

 private:
  using Entries = std::list<Entry>;  // used last comes first

  Connection& connection_;
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> places_;
  std::int64_t last_subject_no_ = 0;  // 0: not read yet
};

}  // namespace tally::store::sqlite

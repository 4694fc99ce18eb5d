// SQLite by itself: the same bytes into one table, as durable as the ledger's, without a server.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/figures.h"

namespace tally::bench {

class BareSqlite {
 public:
  // Makes a new file: WAL, synchronous=FULL.
  static absl::StatusOr<std::unique_ptr<BareSqlite>> Open(const std::string& file);
  ~BareSqlite();

  // Commits of `group` rows one after the other, on this thread.
  absl::StatusOr<Figures> Run(const std::string& row, int group, absl::Duration warm_up,
                              absl::Duration length);

 private:
  struct Parts;
  explicit BareSqlite(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::bench

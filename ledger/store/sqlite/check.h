// Whether a database file holds what it should: everything is read, everything is held against
// everything else it must agree with.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/store/sqlite/findings.h"

namespace tally::store::sqlite {

struct CheckProgress {
  absl::string_view doing;  // in a few words
  std::int64_t done = 0;    // of `total`; both 0 where nobody can tell
  std::int64_t total = 0;
};
using OnCheckProgress = std::function<void(const CheckProgress&)>;  // may be empty

struct CheckReport {
  std::int64_t pages = 0;
  std::int64_t events = 0;
  std::int64_t projection_rows = 0;
  bool are_projections_compared = false;  // not so when the events can't make them
  Findings findings;                      // none: the file is what it should be
};

// Looks at the log, SQLite's own structure and the checksum of every page in use, the schema, every
// event (event_check.h), and whether the projections are what the events make. All of it is of one
// moment; a server may be writing meanwhile, but its log can't be reused until the end. Memory does
// not grow with the file; temporary files take about as much as the projections do.
//
// What is broken is a finding. An error is what keeps it from looking: DATABASE_UNUSABLE,
// SCHEMA_NEWER.
absl::StatusOr<CheckReport> Check(const std::string& path, const std::string& vfs,
                                  const OnCheckProgress& on_progress);

}  // namespace tally::store::sqlite

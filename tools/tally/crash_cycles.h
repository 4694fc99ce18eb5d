// Kills servers under load, again and again, and looks whether anything that was acknowledged is
// missing, changed or there twice.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tally::cli {

struct CrashOptions {
  std::string server_program;  // a tallyd
  std::string folder;          // for the database and the servers' log; there, and empty
  std::int64_t cycles = 10;
  std::uint64_t seed = 0;
  int writers = 4;
};

struct CrashReport {
  std::int64_t cycles = 0;
  std::int64_t kills = 0;          // of servers under load, and of servers that just start
  std::int64_t batches = 0;        // acknowledged
  std::int64_t events = 0;         // on file at the end
  std::int64_t claims = 0;         // the same
  std::int64_t asked_again = 0;    // batches without an answer
  std::int64_t replayed = 0;       // of those: were on file already
  std::vector<std::string> wrong;  // empty: nothing was lost, changed or doubled
};
using OnCrashProgress = std::function<void(const CrashReport& so_far)>;

// Stops at the first cycle that finds something. An error is what keeps it from looking: a server
// that does not start, or refuses what it must not.
absl::StatusOr<CrashReport> RunCrashCycles(const CrashOptions& options,
                                           const OnCrashProgress& on_progress);

}  // namespace tally::cli

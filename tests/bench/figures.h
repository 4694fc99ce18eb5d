// What a cell measured, and the median over the rounds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace tally::bench {

struct Figures {
  double per_second = 0;  // operations: events, look-ups or echoes
  double p50_ms = 0;      // of one call or one commit, whatever it carries
  double p99_ms = 0;
  double server_us = 0;  // CPU an operation; of the bare SQLite too, which has no caller
  double client_us = 0;
};

// Collects one round of one cell.
class Meter {
 public:
  void Add(absl::Duration latency) { latencies_us_.push_back(absl::ToDoubleMicroseconds(latency)); }
  // `operations_each` in every call; the CPU times are over the same calls.
  Figures Finish(absl::Duration elapsed, double operations_each, absl::Duration server_cpu,
                 absl::Duration client_cpu);

 private:
  std::vector<double> latencies_us_;
};

double Median(std::vector<double> values);
// Of each figure by itself.
Figures MedianOf(const std::vector<Figures>& rounds);

}  // namespace tally::bench

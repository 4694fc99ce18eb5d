#include "tests/bench/figures.h"

#include <algorithm>

namespace tally::bench {
namespace {

// Of sorted values; 0 when there are none.
double At(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0;
  const auto index = static_cast<std::size_t>(part * static_cast<double>(sorted.size()));
  return sorted[std::min(index, sorted.size() - 1)];
}

double MedianBy(const std::vector<Figures>& rounds, double Figures::*figure) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const Figures& round : rounds) values.push_back(round.*figure);
  return Median(std::move(values));
}

}  // namespace

Figures Meter::Finish(absl::Duration elapsed, double operations_each, absl::Duration server_cpu,
                      absl::Duration client_cpu) {
  std::sort(latencies_us_.begin(), latencies_us_.end());
  Figures figures;
  const double operations = operations_each * static_cast<double>(latencies_us_.size());
  if (operations <= 0) return figures;
  figures.per_second = operations / absl::ToDoubleSeconds(elapsed);
  figures.p50_ms = At(latencies_us_, 0.5) / 1000;
  figures.p99_ms = At(latencies_us_, 0.99) / 1000;
  figures.server_us = absl::ToDoubleMicroseconds(server_cpu) / operations;
  figures.client_us = absl::ToDoubleMicroseconds(client_cpu) / operations;
  return figures;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return At(values, 0.5);
}

Figures MedianOf(const std::vector<Figures>& rounds) {
  Figures median;
  for (double Figures::*figure : {&Figures::per_second, &Figures::p50_ms, &Figures::p99_ms,
                                  &Figures::server_us, &Figures::client_us}) {
    median.*figure = MedianBy(rounds, figure);
  }
  return median;
}

}  // namespace tally::bench

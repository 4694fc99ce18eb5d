#include "tests/bench/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tally::bench {
namespace {

std::string RatioText(double ratio) { return ratio > 0 ? absl::StrFormat("%.2f", ratio) : "-"; }

}  // namespace

double RatioTo(const std::string& name, const Cell& cell, const std::vector<Cell>& all) {
  const auto other =
      std::find_if(all.begin(), all.end(), [&](const Cell& c) { return c.name == name; });
  if (name.empty() || other == all.end()) return 0;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(cell.rounds.size(), other->rounds.size()); ++i) {
    const double base = other->rounds[i].per_second;
    if (base > 0) ratios.push_back(cell.rounds[i].per_second / base);
  }
  return Median(std::move(ratios));
}

std::string Table(const std::vector<Cell>& cells) {
  std::string text =
      absl::StrFormat("%-32s %10s %9s %9s %10s %10s %8s %7s %9s\n", "", "per second", "p50 ms",
                      "p99 ms", "server us", "client us", "of echo", "of log", "of SQLite");
  for (const Cell& cell : cells) {
    const Figures figures = MedianOf(cell.rounds);
    absl::StrAppendFormat(&text, "%-32s %10.0f %9.2f %9.2f %10.1f %10.1f %8s %7s %9s\n", cell.name,
                          figures.per_second, figures.p50_ms, figures.p99_ms, figures.server_us,
                          figures.client_us, RatioText(RatioTo(cell.beside_echo, cell, cells)),
                          RatioText(RatioTo(cell.beside_raw_log, cell, cells)),
                          RatioText(RatioTo(cell.beside_sqlite, cell, cells)));
  }
  return text;
}

std::string Json(const std::vector<Cell>& cells) {
  const auto ratio = [](double value) {
    return value > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Cell& cell : cells) {
    const Figures figures = MedianOf(cell.rounds);
    all.push_back({{"cell", cell.name},
                   {"perSecond", figures.per_second},
                   {"p50Ms", figures.p50_ms},
                   {"p99Ms", figures.p99_ms},
                   {"serverCpuUs", figures.server_us},
                   {"clientCpuUs", figures.client_us},
                   {"ofEcho", ratio(RatioTo(cell.beside_echo, cell, cells))},
                   {"ofRawLog", ratio(RatioTo(cell.beside_raw_log, cell, cells))},
                   {"ofSqlite", ratio(RatioTo(cell.beside_sqlite, cell, cells))}});
  }
  return all.dump(2) + "\n";
}

}  // namespace tally::bench

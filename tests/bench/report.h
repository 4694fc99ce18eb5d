// Cells of one run beside each other, with their ratios.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/figures.h"

namespace tally::bench {

struct Cell {
  std::string name;
  std::string beside_echo;     // name of the cell it is held against; empty: none
  std::string beside_raw_log;  // likewise
  std::string beside_sqlite;   // likewise
  std::vector<Figures> rounds;
};

// Median over the rounds of the ratio within each, which a disk that is slow for a while leaves
// alone. 0 when there is no such cell.
double RatioTo(const std::string& name, const Cell& cell, const std::vector<Cell>& all);

std::string Table(const std::vector<Cell>& cells);
std::string Json(const std::vector<Cell>& cells);

}  // namespace tally::bench

// Rows for people and for spreadsheets.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tools/tally/text.h"

namespace tally::cli {

struct Cell {
  // NOLINTNEXTLINE(google-explicit-constructor)
  Cell(std::string cell_text, Color cell_color = Color::kNone)
      : text(std::move(cell_text)), color(cell_color) {}
  std::string text;
  Color color;
};

// Aligned columns on stdout. Wire text in cells is made printable.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void Add(std::vector<Cell> row);
  bool is_empty() const { return rows_.empty(); }
  // Columns that are empty in every row are left out.
  void Print(int indent = 0) const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<Cell>> rows_;
};

// One line, cells quoted as RFC 4180 says, ended as Unix does. People open CSV in terminals and
// spreadsheets, so wire text is made printable in it too, and what a spreadsheet would run as a
// formula begins with `'`; the exact text is in JSON.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace tally::cli

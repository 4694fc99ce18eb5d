#include "tools/tally/table.h"

#include <algorithm>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace tally::cli {
namespace {

// What a spreadsheet runs rather than shows. An id of the buyer's may begin with a minus.
bool IsFormula(const std::string& cell) {
  constexpr char kPlain[] = "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (cell.empty()) return false;
  if (cell[0] == '-') return cell.find_first_not_of(kPlain) != std::string::npos;
  return cell[0] == '=' || cell[0] == '+' || cell[0] == '@';
}

std::string SafeCell(const std::string& cell) {
  return absl::StrCat(IsFormula(cell) ? "'" : "", Printable(cell));
}

}  // namespace

void Table::Add(std::vector<Cell> row) {
  for (Cell& cell : row) cell.text = Printable(cell.text);
  row.resize(header_.size(), Cell(""));
  rows_.push_back(std::move(row));
}

void Table::Print(int indent) const {
  std::vector<std::size_t> widths(header_.size(), 0);
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(row[i].text));
    }
  }
  const auto print_row = [&](const std::vector<Cell>& row) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    std::size_t owed = 0;  // blanks before the next cell, so that no line ends in blanks
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::size_t width = std::max(widths[i], WidthOf(header_[i]));
      if (!row[i].text.empty()) {
        line.append(owed, ' ');
        absl::StrAppend(&line, Paint(row[i].color, row[i].text));
        owed = 0;
      }
      owed += width - WidthOf(row[i].text) + 2;
    }
    std::printf("%s\n", line.c_str());
  };
  std::vector<Cell> header;
  bool has_header = false;
  for (const std::string& name : header_) {
    header.emplace_back(name, Color::kBold);
    has_header = has_header || !name.empty();
  }
  if (has_header) print_row(header);
  for (const std::vector<Cell>& row : rows_) print_row(row);
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    const std::string cell = SafeCell(cells[i]);
    if (cell.find_first_of(",\"") == std::string::npos) {
      line += cell;
    } else {
      absl::StrAppend(&line, "\"", absl::StrReplaceAll(cell, {{"\"", "\"\""}}), "\"");
    }
  }
  return line + "\n";
}

}  // namespace tally::cli

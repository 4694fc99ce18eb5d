#include "ledger/store/sqlite/projections.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::store::sqlite {
namespace {

// The truth is in `schema`, `ledgers`, `endpoint_names` and `events`.
constexpr char kTablesSql[] =
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    " AND name NOT IN ('schema', 'ledgers', 'endpoint_names', 'events') ORDER BY name";
constexpr char kIndexesSql[] =
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    " AND tbl_name = ? ORDER BY name";
constexpr char kColumnsSql[] = "SELECT name, pk FROM pragma_table_info(?, 'main') ORDER BY cid";

struct Made {
  std::string name;
  std::string sql;  // that made it
};

std::vector<Made> TablesOf(Connection& connection) {
  std::vector<Made> tables;
  Query rows(connection, kTablesSql);
  while (rows.Next()) tables.push_back({rows.Text(0), rows.Text(1)});
  return tables;
}

std::vector<Made> IndexesOf(Connection& connection, const std::string& table) {
  std::vector<Made> indexes;
  Query rows(connection, kIndexesSql, table);
  while (rows.Next()) indexes.push_back({rows.Text(0), rows.Text(1)});
  return indexes;
}

struct Columns {
  std::vector<std::string> all;
  std::vector<std::string> key;  // of the primary key
};

Columns ColumnsOf(Connection& connection, const std::string& table) {
  Columns columns;
  Query rows(connection, kColumnsSql, table);
  while (rows.Next()) {
    columns.all.push_back(rows.Text(0));
    if (rows.Int(1) > 0) columns.key.push_back(rows.Text(0));
  }
  return columns;
}

bool Holds(const std::vector<std::string>& names, absl::string_view name) {
  for (const std::string& other : names) {
    if (other == name) return true;
  }
  return false;
}

// Rows of `left` with those of `right` that have the same key: whether there is one, then all
// columns of both as SQL literals. To be followed by what else chooses rows.
std::string JoinSql(const std::string& table, const Columns& columns, absl::string_view left,
                    absl::string_view right) {
  std::vector<std::string> selected = {absl::StrCat(right, "_row.", columns.key[0], " NOTNULL")};
  for (const absl::string_view side : {left, right}) {
    for (const std::string& column : columns.all) {
      selected.push_back(absl::StrCat("quote(", side, "_row.", column, ")"));
    }
  }
  std::vector<std::string> equal;
  for (const std::string& column : columns.key) {
    equal.push_back(absl::StrCat(left, "_row.", column, " = ", right, "_row.", column));
  }
  return absl::StrCat("SELECT ", absl::StrJoin(selected, ", "), " FROM ", left, ".", table, " AS ",
                      left, "_row LEFT JOIN ", right, ".", table, " AS ", right, "_row ON ",
                      absl::StrJoin(equal, " AND "), " WHERE ", right, "_row.", columns.key[0],
                      " ISNULL");
}

// From a row of JoinSql(); `seen` is of the left and `wanted` of the right.
ProjectionDifference ReadDifference(SQLite::Statement& row, const std::string& table,
                                    const Columns& columns) {
  ProjectionDifference difference;
  difference.row = table;
  const bool is_both = row.getColumn(0).getInt() != 0;
  std::vector<std::string> left;
  std::vector<std::string> right;
  const int count = static_cast<int>(columns.all.size());
  for (int i = 0; i < count; ++i) {
    const std::string& name = columns.all[static_cast<std::size_t>(i)];
    const std::string value = row.getColumn(1 + i).getString();
    const std::string other = row.getColumn(1 + i + count).getString();
    if (name == "ledger_no") difference.ledger_no = std::strtoll(value.c_str(), nullptr, 10);
    if (Holds(columns.key, name)) {
      absl::StrAppend(&difference.row, " ", name, "=", value);
    } else if (!is_both || value != other) {
      left.push_back(absl::StrCat(name, "=", value));
      right.push_back(absl::StrCat(name, "=", other));
    }
  }
  difference.seen = left.empty() ? "a row" : absl::StrJoin(left, " ");
  difference.wanted = is_both ? absl::StrJoin(right, " ") : "no row";
  return difference;
}

void CompareTable(Connection& connection, const std::string& table,
                  const OnDifference& on_difference) {
  const Columns columns = ColumnsOf(connection, table);
  std::string on_file = JoinSql(table, columns, "main", "temp");
  for (const std::string& column : columns.all) {
    absl::StrAppend(&on_file, " OR main_row.", column, " IS NOT temp_row.", column);
  }
  SQLite::Statement rows(connection.database(), on_file);
  while (rows.executeStep()) on_difference(ReadDifference(rows, table, columns));
  SQLite::Statement missing(connection.database(), JoinSql(table, columns, "temp", "main"));
  while (missing.executeStep()) {
    ProjectionDifference difference = ReadDifference(missing, table, columns);
    std::swap(difference.seen, difference.wanted);
    on_difference(difference);
  }
}

}  // namespace

absl::Status ClearProjections(Connection& connection) {
  return Guard("clear the projections", [&]() -> absl::Status {
    for (const Made& table : TablesOf(connection)) {
      connection.Execute(absl::StrCat("DELETE FROM main.", table.name).c_str());
    }
    return absl::OkStatus();
  });
}

absl::Status MakeTwins(Connection& connection) {
  return Guard("make tables to compare with", [&]() -> absl::Status {
    for (const Made& table : TablesOf(connection)) {
      absl::string_view sql = table.sql;
      if (!absl::ConsumePrefix(&sql, "CREATE TABLE ")) {
        return Error(Reason::kDataLoss, absl::StrCat("table ", table.name, " is not one of ours"));
      }
      connection.Execute(absl::StrCat("CREATE TABLE temp.", sql).c_str());
      for (const Made& index : IndexesOf(connection, table.name)) {
        sql = index.sql;
        if (!absl::ConsumePrefix(&sql, "CREATE INDEX ")) continue;
        connection.Execute(absl::StrCat("CREATE INDEX temp.", sql).c_str());
      }
    }
    return absl::OkStatus();
  });
}

absl::Status CompareTwins(Connection& connection, const OnDifference& on_difference) {
  return Guard("compare", [&]() -> absl::Status {
    for (const Made& table : TablesOf(connection)) {
      CompareTable(connection, table.name, on_difference);
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::int64_t> CountProjectionRows(Connection& connection) {
  return Guard("count", [&]() -> absl::StatusOr<std::int64_t> {
    std::int64_t rows = 0;
    for (const Made& table : TablesOf(connection)) {
      const std::string sql = absl::StrCat("SELECT count(*) FROM main.", table.name);
      rows += connection.database().execAndGet(sql).getInt64();
    }
    return rows;
  });
}

}  // namespace tally::store::sqlite

// `tally check`: whether a database file holds what it should.
#include "ledger/store/sqlite/check.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/error_report.h"
#include "tools/tally/message_json.h"
#include "tools/tally/progress.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

using store::sqlite::CheckReport;
using store::sqlite::Finding;

constexpr char kAbout[] =
    "Reads a whole database and says what is broken in it, if anything is.\n"
    "Nothing is written, and a server may be running meanwhile.";
constexpr char kFooter[] =
    "What is looked at: the write-ahead log; the checksum of every page, and SQLite's own "
    "structure;\n"
    "the schema; every event, its checksum, its place in the ledger and in its settlement; "
    "whether\n"
    "aliases and summaries are what the events make. Each finding is one line: ledger, position,\n"
    "what was looked at, what was seen, what was wanted. At most 1000 are shown.\n"
    "\n"
    "It takes as much room for temporary files (TMPDIR) as aliases and summaries do. While it "
    "runs\n"
    "beside a server, the server's write-ahead log grows with what is written.\n"
    "\n"
    "Example:\n"
    "  tally check --database shop.db\n"
    "\n"
    "Exit codes: 0 whole, 2 usage, 4 can't be read at all, 5 something is broken.\n";

std::string PositionText(const Finding& finding) {
  return finding.position == 0 ? "" : absl::StrCat(finding.position);
}

std::string SummaryOf(const CheckReport& report) {
  const std::size_t count = report.findings.count();
  std::string text = count == 0   ? "whole"
                     : count == 1 ? "broken: 1 finding"
                                  : absl::StrCat("broken: ", count, " findings");
  absl::StrAppend(&text, "; ", report.events, " events, ", report.pages, " pages, ");
  if (report.are_projections_compared) {
    absl::StrAppend(&text, report.projection_rows, " rows of projections");
  } else {
    text += "projections not compared";
  }
  return text;
}

void PrintTable(const CheckReport& report) {
  Table table({"ledger", "position", "what", "seen", "wanted"});
  for (const Finding& finding : report.findings.kept()) {
    table.Add({finding.ledger, PositionText(finding), finding.what, finding.seen, finding.wanted});
  }
  if (!table.is_empty()) table.Print();
  std::printf("%s\n", SummaryOf(report).c_str());
}

void PrintCsv(const CheckReport& report) {
  std::fputs(CsvLine({"ledger", "position", "what", "seen", "wanted"}).c_str(), stdout);
  for (const Finding& finding : report.findings.kept()) {
    std::fputs(
        CsvLine({finding.ledger, PositionText(finding), finding.what, finding.seen, finding.wanted})
            .c_str(),
        stdout);
  }
  Warn(SummaryOf(report));
}

void PrintJson(const CheckReport& report) {
  json::Array findings;
  for (const Finding& finding : report.findings.kept()) {
    json::Object object;
    json::Put(object, "ledger", TextOrNull(finding.ledger));
    json::Put(object, "position",
              finding.position == 0 ? json::Value() : json::Value::Integer(finding.position));
    json::Put(object, "what", json::Text(finding.what));
    json::Put(object, "seen", json::Text(finding.seen));
    json::Put(object, "wanted", json::Text(finding.wanted));
    findings.emplace_back(std::move(object));
  }
  json::Object object;
  json::Put(object, "isWhole", json::Value(report.findings.count() == 0));
  json::Put(object, "events", json::Value::Integer(report.events));
  json::Put(object, "pages", json::Value::Integer(report.pages));
  json::Put(object, "projectionRows", json::Value::Integer(report.projection_rows));
  json::Put(object, "areProjectionsCompared", json::Value(report.are_projections_compared));
  json::Put(object, "findingCount",
            json::Value::Integer(static_cast<std::int64_t>(report.findings.count())));
  json::Put(object, "findings", json::Value(std::move(findings)));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

absl::StatusOr<int> Check(const Options& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.ReadTarget());
  if (!target.server.empty()) {
    return FieldError("--server", target.server, "--database FILE: a check needs the file");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(target.database, ignored)) {
    return FieldError("--database", target.database, "a database that is there");
  }
  Progress progress;
  TALLY_ASSIGN_OR_RETURN(
      const CheckReport report,
      store::sqlite::Check(target.database, "", [&](const store::sqlite::CheckProgress& at) {
        progress.Show(at.total == 0 ? std::string(at.doing)
                                    : absl::StrCat(at.doing, ": ", at.done, " of ", at.total));
      }));
  progress.Clear();
  if (form == Form::kJson) {
    PrintJson(report);
  } else if (form == Form::kCsv) {
    PrintCsv(report);
  } else {
    PrintTable(report);
  }
  return report.findings.count() == 0 ? kExitFine : kExitBroken;
}

}  // namespace

void AddCheck(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("check", kAbout);
  auto options = std::make_shared<Options>();
  AddTarget(*verb, *options);
  AddForm(*verb, *options);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Check(*options); }; });
}

}  // namespace tally::cli

// `tally rebuild`: the proof that projections are what the events say.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "ledger/store/event_store.h"
#include "tools/tally/embedded_api.h"
#include "tools/tally/error_report.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Makes the projections of a database again from its events, and compares.\n"
    "Without --replace nothing is written, and a server may be running meanwhile.";
constexpr char kFooter[] =
    "Example:\n"
    "  tally rebuild --database shop.db\n"
    "\n"
    "Exit codes: 0 equal, 2 usage, 4 refused, 5 different (with --replace: they were, and are made "
    "new).\n";

struct RebuildOptions {
  Options shared;
  bool is_replacing = false;
};

void Print(const store::RebuildReport& report, Form form, bool is_replaced) {
  const bool is_equal = report.differences.empty();
  if (form == Form::kJson) {
    json::Object object;
    json::Put(object, "isEqual", json::Value(is_equal));
    json::Put(object, "isReplaced", json::Value(is_replaced));
    json::Put(object, "events", json::Value::Integer(report.events));
    json::Put(object, "subjects", json::Value::Integer(report.subjects));
    json::Put(object, "aliases", json::Value::Integer(report.aliases));
    json::Array differences;
    for (const std::string& difference : report.differences) {
      differences.push_back(json::Text(difference));
    }
    json::Put(object, "differences", json::Value(std::move(differences)));
    std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
    return;
  }
  if (form == Form::kCsv) {
    std::fputs(CsvLine({"isEqual", "events", "subjects", "aliases"}).c_str(), stdout);
    std::fputs(CsvLine({is_equal ? "true" : "false", absl::StrCat(report.events),
                        absl::StrCat(report.subjects), absl::StrCat(report.aliases)})
                   .c_str(),
               stdout);
  } else {
    std::printf("%s: %lld events, %lld subjects, %lld aliases%s\n",
                is_equal ? "equal" : "different", static_cast<long long>(report.events),
                static_cast<long long>(report.subjects), static_cast<long long>(report.aliases),
                is_replaced ? "; replaced" : "");
  }
  for (const std::string& difference : report.differences) Warn(difference);
}

absl::StatusOr<int> Rebuild(const RebuildOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const std::string database, options.shared.ReadDatabase());
  TALLY_ASSIGN_OR_RETURN(
      const std::unique_ptr<store::EventStore> store,
      OpenStore(database, options.is_replacing ? Access::kWrite : Access::kRead));
  TALLY_ASSIGN_OR_RETURN(const store::RebuildReport report, store->Rebuild(options.is_replacing));
  Print(report, form, options.is_replacing);
  return report.differences.empty() ? kExitFine : kExitBroken;
}

}  // namespace

void AddRebuild(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("rebuild", kAbout);
  auto options = std::make_shared<RebuildOptions>();
  verb->add_flag("--replace", options->is_replacing,
                 "Put the new projections in the place of the old");
  AddDatabase(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Rebuild(*options); }; });
}

}  // namespace tally::cli

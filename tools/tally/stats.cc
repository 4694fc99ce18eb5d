// `tally stats`: how many of each.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/message_json.h"
#include "tools/tally/session.h"
#include "tools/tally/settlement_json.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Counts challenges, payments, refusals, tool failures, and runs not known to be paid.\n"
    "Each exchange counts once, whatever was retried or recorded twice. As of now.";
constexpr char kFooter[] =
    "Example:\n"
    "  tally stats --ledger shop --output json\n"
    "\n"
    "Exit codes: 0 whatever the counts say, 2 usage, 4 refused or unreachable, 5 evidence "
    "broken.\n";

using Line = std::pair<std::string, std::int64_t>;

// Names as in JSON.
std::vector<Line> LinesOf(const v1::GetStatisticsResponse& statistics) {
  return {{"events", statistics.events()},
          {"challenges", statistics.challenges()},
          {"challengesUnanswered", statistics.challenges_unanswered()},
          {"payments", statistics.payments()},
          {"paymentsUnreadable", statistics.payments_unreadable()},
          {"refusals", statistics.refusals()},
          {"toolFailures", statistics.tool_failures()},
          {"ranNotKnownPaid", statistics.ran_not_known_paid()}};
}

// All labels, those without a row too, so that a program finds every key.
std::vector<Line> LabelsOf(const v1::GetStatisticsResponse& statistics) {
  std::vector<Line> lines;
  const auto& labels = *v1::Label_descriptor();
  for (int i = 0; i < labels.value_count(); ++i) {
    const auto& label = *labels.value(i);
    if (label.number() == v1::LABEL_UNSPECIFIED) continue;
    std::int64_t count = 0;
    for (const v1::LabelCount& one : statistics.labels()) {
      if (static_cast<int>(one.label()) == label.number()) count = one.count();
    }
    lines.emplace_back(WordOf(label), count);
  }
  return lines;
}

json::Value JsonOf(const v1::GetStatisticsResponse& statistics) {
  json::Object object;
  for (const auto& [name, count] : LinesOf(statistics)) {
    json::Put(object, name, json::Value::Integer(count));
  }
  json::Object labels;
  for (const auto& [name, count] : LabelsOf(statistics)) {
    json::Put(labels, name, json::Value::Integer(count));
  }
  json::Put(object, "labels", json::Value(std::move(labels)));
  json::Array sums;
  for (const v1::ExposureSum& sum : statistics.ran_not_known_paid_sums()) {
    json::Object one;
    json::Put(one, "bucket", json::Text(WordOf(sum.bucket())));
    json::Put(one, "network", TextOrNull(sum.network()));
    json::Put(one, "asset", TextOrNull(sum.asset()));
    json::Put(one, "count", json::Value::Integer(sum.count()));
    json::Put(one, "amount", json::Text(sum.amount()));
    json::Put(one, "amountUnknownCount", json::Value::Integer(sum.amount_unknown_count()));
    sums.push_back(json::Value(std::move(one)));
  }
  json::Put(object, "ranNotKnownPaidSums", json::Value(std::move(sums)));
  return json::Value(std::move(object));
}

void PrintCsv(const v1::GetStatisticsResponse& statistics) {
  std::fputs(CsvLine({"name", "count"}).c_str(), stdout);
  for (const auto& lines : {LinesOf(statistics), LabelsOf(statistics)}) {
    for (const auto& [name, count] : lines) {
      std::fputs(CsvLine({name, absl::StrCat(count)}).c_str(), stdout);
    }
  }
}

void PrintTable(const v1::GetStatisticsResponse& statistics, std::optional<int> decimals) {
  const std::vector<Line> rows = {
      {"events", statistics.events()},
      {"challenges", statistics.challenges()},
      {"  never answered by a payment", statistics.challenges_unanswered()},
      {"payments", statistics.payments()},
      {"  refused", statistics.refusals()},
      {"  the tool failed", statistics.tool_failures()},
      {"  ran, not known to be paid", statistics.ran_not_known_paid()},
      {"payments that can't be read", statistics.payments_unreadable()}};
  for (const auto& [name, count] : rows) {
    std::printf("%-30s %12lld\n", name.c_str(), static_cast<long long>(count));
  }
  std::fputs("\n", stdout);
  Table labels({"LABEL", "COUNT"});
  for (const auto& [name, count] : LabelsOf(statistics)) {
    if (count > 0) labels.Add({name, absl::StrCat(count)});
  }
  labels.Print();
  if (statistics.ran_not_known_paid_sums().empty()) return;
  std::fputs("\n", stdout);
  Table sums({"RAN, NOT KNOWN PAID", "COUNT", "AMOUNT", "AMOUNT UNKNOWN"});
  for (const v1::ExposureSum& sum : statistics.ran_not_known_paid_sums()) {
    sums.Add({WordOf(sum.bucket()), absl::StrCat(sum.count()),
              MoneyText(sum.amount(), sum.network(), sum.asset(), decimals),
              absl::StrCat(sum.amount_unknown_count())});
  }
  sums.Print();
}

absl::StatusOr<int> Stats(const Options& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  v1::GetStatisticsRequest request;
  request.set_ledger(options.ReadLedger());
  TALLY_ASSIGN_OR_RETURN(const v1::GetStatisticsResponse statistics, api->GetStatistics(request));
  if (form == Form::kJson) {
    std::printf("%s\n", json::WritePretty(JsonOf(statistics)).c_str());
  } else if (form == Form::kCsv) {
    PrintCsv(statistics);
  } else {
    PrintTable(statistics, options.decimals);
  }
  return kExitFine;
}

}  // namespace

void AddStats(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("stats", kAbout);
  auto options = std::make_shared<Options>();
  AddTarget(*verb, *options);
  AddLedger(*verb, *options);
  AddForm(*verb, *options);
  AddDecimals(*verb, *options);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Stats(*options); }; });
}

}  // namespace tally::cli

// `tally list`: many settlements at once.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
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
    "Lists settlements, one line each: label, advice for both parties, what does not fit.\n"
    "Challenges that nothing answers and payments that can't be read are rows too.";
constexpr char kFooter[] =
    "Example:\n"
    "  tally list --view ran-not-known-paid --output json\n"
    "\n"
    "Exit codes: 0 whatever the exchanges say, 2 usage, 4 refused or unreachable,\n"
    "5 evidence broken.\n";

constexpr std::int64_t kPageRows = 500;

struct ListOptions {
  Options shared;
  std::vector<std::string> labels;
  std::string view;
  std::string payer;
  std::string tool;
  std::string from;
  std::string before;
  std::int64_t limit = 0;  // 0: all
};

absl::StatusOr<v1::ListSettlementsRequest> RequestOf(const ListOptions& options) {
  v1::ListSettlementsRequest request;
  request.set_ledger(options.shared.ReadLedger());
  for (const std::string& word : options.labels) {
    v1::Label label = v1::LABEL_UNSPECIFIED;
    if (!ReadWord(word, &label)) {
      return FieldError("--label", word, absl::StrCat("one of ", WordsOf(*v1::Label_descriptor())));
    }
    request.add_labels(label);
  }
  if (!options.view.empty()) {
    v1::ListView view = v1::LIST_VIEW_UNSPECIFIED;
    if (!ReadWord(options.view, &view)) {
      return FieldError("--view", options.view, "ran-not-known-paid");
    }
    request.set_view(view);
  }
  request.set_payer(options.payer);
  request.set_tool(options.tool);
  TALLY_RETURN_IF_ERROR(
      ReadTimeOption("--from", options.from, [&] { return request.mutable_from(); }));
  TALLY_RETURN_IF_ERROR(
      ReadTimeOption("--before", options.before, [&] { return request.mutable_before(); }));
  TALLY_RETURN_IF_ERROR(
      ReadTimeOption("--as-of", options.shared.as_of, [&] { return request.mutable_as_of(); }));
  TALLY_RETURN_IF_ERROR(ReadTimeOption("--known-at", options.shared.known_at,
                                       [&] { return request.mutable_known_at(); }));
  return request;
}

// Prints rows as they come, but for the table, whose widths need them all.
class Printer {
 public:
  Printer(Form form, std::optional<int> decimals)
      : form_(form),
        decimals_(decimals),
        table_({"LABEL", "LIVENESS", "TOOL", "AMOUNT", "SELLER SHOULD", "BUYER SHOULD", "ANOMALIES",
                "ID"}) {}

  void Begin() {
    if (form_ == Form::kCsv) std::fputs(CsvLine(SummaryColumns()).c_str(), stdout);
  }

  void Add(const v1::Settlement& settlement) {
    if (form_ == Form::kCsv) {
      std::fputs(CsvLine(SummaryCells(settlement)).c_str(), stdout);
    } else if (form_ == Form::kJson) {
      const std::string text = json::Write(json::Value(SummaryJson(settlement)));
      std::printf("%s%s", is_any_ ? ",\n" : "[\n", text.c_str());
    } else {
      AddRow(settlement);
    }
    is_any_ = true;
  }

  void AddSums(const v1::ListSettlementsResponse& page) {
    sums_.insert(sums_.end(), page.sums().begin(), page.sums().end());
  }

  void End() {
    if (form_ == Form::kJson) std::fputs(is_any_ ? "\n]\n" : "[]\n", stdout);
    if (form_ != Form::kTable) return;
    if (is_any_) {
      table_.Print();
    } else {
      std::fputs("nothing\n", stdout);
    }
    PrintSums();
  }

 private:
  void AddRow(const v1::Settlement& settlement) {
    table_.Add({Cell(WordOf(settlement.label()), ColorOf(settlement.label())),
                LivenessWord(settlement), settlement.resource().tool(),
                MoneyText(settlement.amount(), settlement.network(), settlement.asset(), decimals_),
                WordOf(settlement.seller_advice()), WordOf(settlement.buyer_advice()),
                AnomalyWords(settlement, " "), Cell(KeyText(settlement), Color::kDim)});
  }

  void PrintSums() const {
    if (sums_.empty()) return;
    Table table({"SUM", "COUNT", "AMOUNT", "AMOUNT UNKNOWN", "NETWORK", "ASSET"});
    for (const v1::ExposureSum& sum : sums_) {
      table.Add({WordOf(sum.bucket()), absl::StrCat(sum.count()),
                 MoneyText(sum.amount(), sum.network(), sum.asset(), decimals_),
                 sum.amount_unknown_count() == 0 ? "" : absl::StrCat(sum.amount_unknown_count()),
                 sum.network(), sum.asset()});
    }
    std::fputs("\n", stdout);
    table.Print();
  }

  const Form form_;
  const std::optional<int> decimals_;
  Table table_;
  std::vector<v1::ExposureSum> sums_;
  bool is_any_ = false;
};

absl::StatusOr<int> List(const ListOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(v1::ListSettlementsRequest request, RequestOf(options));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  Printer printer(form, options.shared.decimals);
  std::int64_t rows = 0;
  do {
    const std::int64_t left = options.limit == 0 ? kPageRows : options.limit - rows;
    // One query has one page size: its token says so.
    if (rows == 0) request.set_page_size(static_cast<std::int32_t>(std::min(left, kPageRows)));
    TALLY_ASSIGN_OR_RETURN(const v1::ListSettlementsResponse page, api->ListSettlements(request));
    if (request.page_token().empty()) printer.Begin();
    printer.AddSums(page);
    for (const v1::Settlement& settlement : page.settlements()) {
      if (options.limit != 0 && rows == options.limit) break;
      printer.Add(settlement);
      ++rows;
    }
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty() && (options.limit == 0 || rows < options.limit));
  printer.End();
  return kExitFine;
}

}  // namespace

void AddList(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("list", kAbout);
  auto options = std::make_shared<ListOptions>();
  verb->add_option("--label", options->labels,
                   "Only this label, such as RAN_UNPAID; may be repeated")
      ->type_name("LABEL")
      ->allow_extra_args(false)
      ->delimiter(',');
  verb->add_option("--view", options->view,
                   "ran-not-known-paid: ran, and not known to be settled; with sums")
      ->type_name("VIEW");
  verb->add_option("--payer", options->payer, "Only this payer")->type_name("ADDRESS");
  verb->add_option("--tool", options->tool, "Only this tool")->type_name("NAME");
  verb->add_option("--from", options->from, "Only what had an event at or after then")
      ->type_name("TIME");
  verb->add_option("--before", options->before, "Only what had an event before then")
      ->type_name("TIME");
  verb->add_option("--limit", options->limit, "At most so many rows; default all")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddTimes(*verb, options->shared);
  AddForm(*verb, options->shared);
  AddDecimals(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return List(*options); }; });
}

}  // namespace tally::cli

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
#include "tools/tally/sums.h"
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
    "  tally list --view ran-not-known-paid --sums --output csv\n"
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
  std::string limit;
  bool is_sums = false;
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
  } else if (options.is_sums) {
    return FieldError("--sums", "no --view", "--view too: sums are of a view");
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

  void End() {
    if (form_ == Form::kJson) std::fputs(is_any_ ? "\n]\n" : "[]\n", stdout);
    if (form_ != Form::kTable) return;
    if (is_any_) {
      table_.Print();
    } else {
      std::fputs("nothing\n", stdout);
    }
  }

 private:
  void AddRow(const v1::Settlement& settlement) {
    table_.Add({Cell(WordOf(settlement.label()), ColorOf(settlement.label())),
                LivenessWord(settlement), settlement.resource().tool(),
                MoneyText(settlement.amount(), settlement.network(), settlement.asset(), decimals_),
                WordOf(settlement.seller_advice()), WordOf(settlement.buyer_advice()),
                AnomalyWords(settlement, " "), Cell(KeyText(settlement), Color::kDim)});
  }

  const Form form_;
  const std::optional<int> decimals_;
  Table table_;
  bool is_any_ = false;
};

absl::Status NamedAsTyped(const absl::Status& status) {
  return AsTyped(status, {{"as_of", "--as-of"},
                          {"known_at", "--known-at"},
                          {"from", "--from"},
                          {"before", "--before"},
                          {"payer", "--payer"},
                          {"tool", "--tool"}});
}

absl::Status ListSums(Api& api, v1::ListSettlementsRequest request, Form form,
                      std::optional<int> decimals) {
  request.set_page_size(1);  // the first page has the sums of all
  const absl::StatusOr<v1::ListSettlementsResponse> page = api.ListSettlements(request);
  if (!page.ok()) return NamedAsTyped(page.status());
  PrintSums(page->sums(), form, decimals);
  return absl::OkStatus();
}

// At most `limit` rows; 0: all.
absl::Status ListRows(Api& api, v1::ListSettlementsRequest request, std::int64_t limit, Form form,
                      std::optional<int> decimals) {
  // One query has one page size: its token says so.
  request.set_page_size(
      static_cast<std::int32_t>(limit == 0 ? kPageRows : std::min(limit, kPageRows)));
  Printer printer(form, decimals);
  v1::ListSettlementsResponse sums;
  std::int64_t rows = 0;
  do {
    const absl::StatusOr<v1::ListSettlementsResponse> page = api.ListSettlements(request);
    if (!page.ok()) return NamedAsTyped(page.status());
    if (request.page_token().empty()) printer.Begin();
    sums.mutable_sums()->MergeFrom(page->sums());
    for (const v1::Settlement& settlement : page->settlements()) {
      if (limit != 0 && rows == limit) break;
      printer.Add(settlement);
      ++rows;
    }
    request.set_page_token(page->next_page_token());
  } while (!request.page_token().empty() && (limit == 0 || rows < limit));
  printer.End();
  // For people: programs ask with --sums, and get rows and sums each in a form of its own.
  if (form == Form::kTable && !sums.sums().empty()) {
    std::fputs("\n", stdout);
    PrintSums(sums.sums(), form, decimals);
  }
  return absl::OkStatus();
}

absl::StatusOr<int> List(const ListOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const v1::ListSettlementsRequest request, RequestOf(options));
  TALLY_ASSIGN_OR_RETURN(const std::int64_t limit, ReadCountOption("--limit", options.limit, 1));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  const std::optional<int> decimals = options.shared.decimals;
  TALLY_RETURN_IF_ERROR(options.is_sums ? ListSums(*api, request, form, decimals)
                                        : ListRows(*api, request, limit, form, decimals));
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
  verb->add_flag("--sums", options->is_sums,
                 "With a view: its sums over all rows, and no row; json and csv too");
  verb->add_option("--payer", options->payer, "Only this payer")->type_name("ADDRESS");
  verb->add_option("--tool", options->tool, "Only this tool")->type_name("NAME");
  verb->add_option("--from", options->from, "Only what had an event at or after then")
      ->type_name("TIME");
  verb->add_option("--before", options->before, "Only what had an event before then")
      ->type_name("TIME");
  verb->add_option("--limit", options->limit, "At most so many rows; default all")->type_name("N");
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddTimes(*verb, options->shared);
  AddForm(*verb, options->shared);
  AddDecimals(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return List(*options); }; });
}

}  // namespace tally::cli

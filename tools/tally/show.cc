// `tally show`: did it run, was it paid, may I retry?
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/session.h"
#include "tools/tally/settlement_json.h"
#include "tools/tally/settlement_key.h"
#include "tools/tally/settlement_text.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Answers for one payment: did it run, was it paid, may I retry?\n"
    "By any id, by the payment itself, or by the MCP call that carried it.";
constexpr char kFooter[] =
    "ID is a settlement id, challenge id, chain tx, payment-identifier, purchase id or task id.\n"
    "\n"
    "Examples:\n"
    "  tally show sha256:4dad… --ledger shop\n"
    "  tally show --payment payment.json\n"
    "  tally show --call SESSION:2\n"
    "\n"
    "Exit codes: 0 whatever the answer is, 2 usage, 3 not recorded, or the id has several hits\n"
    "(which are listed), 4 refused or unreachable, 5 evidence broken.\n";

struct ShowOptions {
  Options shared;
  KeyOptions key;
  bool is_raw = false;
};

absl::StatusOr<v1::GetSettlementRequest> RequestOf(const ShowOptions& options) {
  v1::GetSettlementRequest request;
  request.set_ledger(options.shared.ReadLedger());
  request.set_include_timeline(true);
  TALLY_RETURN_IF_ERROR(ReadKey(options.key, request.mutable_key()));
  TALLY_RETURN_IF_ERROR(
      ReadTimeOption("--as-of", options.shared.as_of, [&] { return request.mutable_as_of(); }));
  TALLY_RETURN_IF_ERROR(ReadTimeOption("--known-at", options.shared.known_at,
                                       [&] { return request.mutable_known_at(); }));
  return request;
}

absl::StatusOr<int> Show(const ShowOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const v1::GetSettlementRequest request, RequestOf(options));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  const absl::StatusOr<v1::GetSettlementResponse> response = api->GetSettlement(request);
  if (!response.ok()) {
    if (ReasonOf(response.status()) == Reason::kAliasAmbiguous) {
      PrintHits(response.status(), form);
    }
    return AsTyped(response.status(), {{"key.any", "ID"},
                                       {"key.call", "--call"},
                                       {"key.payment_document", "--payment"},
                                       {"as_of", "--as-of"},
                                       {"known_at", "--known-at"}});
  }
  const v1::Settlement& settlement = response->settlement();
  if (form == Form::kJson) {
    const json::Value value(DetailJson(settlement, options.is_raw));
    std::printf("%s\n", json::WritePretty(value).c_str());
  } else if (form == Form::kCsv) {
    std::printf("%s%s", CsvLine(SummaryColumns()).c_str(),
                CsvLine(SummaryCells(settlement)).c_str());
  } else {
    PrintSettlement(settlement, options.shared.decimals);
  }
  return kExitFine;
}

}  // namespace

void AddShow(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("show", kAbout);
  auto options = std::make_shared<ShowOptions>();
  AddKey(*verb, options->key);
  verb->add_flag("--raw", options->is_raw,
                 "With json: wire documents too; they can hold live signatures");
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddTimes(*verb, options->shared);
  AddForm(*verb, options->shared);
  AddDecimals(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Show(*options); }; });
}

}  // namespace tally::cli

// `tally show`: did it run, was it paid, may I retry?
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/error_report.h"
#include "tools/tally/input.h"
#include "tools/tally/payment_input.h"
#include "tools/tally/session.h"
#include "tools/tally/settlement_json.h"
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

constexpr std::size_t kInputBytesMax = std::size_t{16} * 1024 * 1024;

struct ShowOptions {
  Options shared;
  std::string id;
  std::string payment;
  std::string call;
  bool is_raw = false;
};

// SESSION:ID. The id is JSON text; a bare word is a string. A session may hold colons.
absl::Status ReadCall(const std::string& text, v1::CallId* out) {
  const std::size_t split = text.rfind(':');
  if (split == std::string::npos || split == 0 || split + 1 == text.size()) {
    return FieldError("--call", text, "SESSION:ID, such as s1:2 or s1:\"a\"");
  }
  const std::string id = text.substr(split + 1);
  const absl::StatusOr<json::Document> parsed = json::Parse(id);
  const bool is_json =
      parsed.ok() && (parsed->value.number() != nullptr || parsed->value.string() != nullptr);
  out->set_session(text.substr(0, split));
  out->set_request_id(is_json ? id : json::Write(json::Text(id)));
  return absl::OkStatus();
}

absl::Status ReadKey(const ShowOptions& options, v1::SettlementKey* key) {
  const int given = (options.id.empty() ? 0 : 1) + (options.payment.empty() ? 0 : 1) +
                    (options.call.empty() ? 0 : 1);
  if (given != 1) {
    return FieldError("ID, --payment, --call", absl::StrCat(given, " of them"), "exactly one");
  }
  if (!options.call.empty()) return ReadCall(options.call, key->mutable_call());
  if (!options.payment.empty()) {
    TALLY_ASSIGN_OR_RETURN(const std::string text,
                           ReadAll("--payment", options.payment, kInputBytesMax));
    TALLY_ASSIGN_OR_RETURN(const PaymentInput input, FindPayment(text));
    key->set_payment_document(input.text);
    return absl::OkStatus();
  }
  key->set_any(options.id);
  return absl::OkStatus();
}

void PrintHits(const absl::Status& status, Form form) {
  std::map<std::string, std::string> metadata = MetadataOf(status);
  json::Array hits;
  for (const absl::string_view hit : absl::StrSplit(metadata["hits"], ' ', absl::SkipEmpty())) {
    if (form != Form::kJson) std::printf("%s\n", Printable(hit).c_str());
    hits.push_back(json::Text(hit));
  }
  if (form != Form::kJson) return;
  json::Object object;
  json::Put(object, "hits", json::Value(std::move(hits)));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

absl::StatusOr<v1::GetSettlementRequest> RequestOf(const ShowOptions& options) {
  v1::GetSettlementRequest request;
  request.set_ledger(options.shared.ReadLedger());
  request.set_include_timeline(true);
  TALLY_RETURN_IF_ERROR(ReadKey(options, request.mutable_key()));
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
    return response.status();
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
  verb->add_option("ID", options->id, "What it is known by");
  verb->add_option("--payment", options->payment,
                   "The payment: whatever `tally id` takes; - is stdin")
      ->type_name("FILE");
  verb->add_option("--call", options->call,
                   "The MCP call: its JSON-RPC id as JSON, a bare word is a string")
      ->type_name("SESSION:ID");
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

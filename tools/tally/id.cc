// `tally id`: the settlement id that both sides derive, or why there is none.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "ledger/x402/documents.h"
#include "tools/tally/error_report.h"
#include "tools/tally/input.h"
#include "tools/tally/message_json.h"
#include "tools/tally/payment_input.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr std::size_t kBytesMax = std::size_t{16} * 1024 * 1024;

constexpr char kAbout[] =
    "Prints the settlement id of a payment, its slot and recipe, or why there is none.\n"
    "Needs no ledger: buyer and seller derive the same id from the signed payload.";
constexpr char kFooter[] =
    "FILE holds a PaymentPayload (V1 or V2), a facilitator request with one, an MCP tools/call "
    "frame,\n"
    "or a line of a transcript.\n"
    "\n"
    "Example:\n"
    "  grep -m1 '\"x402/payment\"' recorded.buyer.jsonl | tally id -\n"
    "\n"
    "Exit codes: 0 it has an id, 1 it has none, 2 usage.\n";

struct IdOptions {
  Options shared;
  std::string path;
};

std::string AmountText(const x402::Payment& payment) {
  return payment.amount.has_value() ? payment.amount->ToString() : "";
}

// Key and value, in order; the keys are the JSON's.
using Rows = std::vector<std::pair<std::string, std::string>>;

Rows RowsOf(const x402::Payment& payment) {
  const auto seconds = [](const std::optional<std::int64_t>& time) {
    return time.has_value() ? absl::StrCat(*time) : "";
  };
  return {{"settlementId", payment.id.text()},
          {"slot", payment.slot.text},
          {"recipe", std::string(NameOf(payment.recipe))},
          {"scheme", payment.scheme},
          {"network", payment.network},
          {"asset", payment.asset},
          {"payer", payment.payer},
          {"payTo", payment.pay_to},
          {"amount", AmountText(payment)},
          {"nonce", payment.nonce},
          {"validAfter", seconds(payment.valid_after)},
          {"validBefore", seconds(payment.valid_before)},
          {"paymentIdentifier", payment.payment_identifier},
          {"challengeId", payment.challenge_id}};
}

Rows Reasons(const absl::Status& status) {
  std::map<std::string, std::string> metadata = MetadataOf(status);
  Rows rows;
  for (const char* key : {"condition", "field", "seen", "wanted"}) {
    rows.emplace_back(key, metadata[key]);
  }
  return rows;
}

void PrintJson(const absl::StatusOr<x402::Payment>& payment) {
  json::Object object;
  json::Put(object, "outcome", json::Text(payment.ok() ? "ok" : "malformed"));
  const Rows known = RowsOf(payment.ok() ? *payment : x402::Payment());
  for (const auto& [key, value] : known) {
    json::Put(object, key, payment.ok() ? TextOrNull(value) : json::Value());
  }
  json::Put(object, "isWeak", payment.ok() ? json::Value(payment->is_weak) : json::Value());
  for (const auto& [key, value] : Reasons(payment.status())) {
    json::Put(object, key, TextOrNull(value));
  }
  json::Put(object, "message",
            payment.ok() ? json::Value() : json::Text(payment.status().message()));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

void PrintCsv(const absl::StatusOr<x402::Payment>& payment) {
  Rows rows = RowsOf(payment.ok() ? *payment : x402::Payment());
  for (auto& [key, value] : rows) value = payment.ok() ? value : "";
  for (auto& row : Reasons(payment.status())) rows.push_back(std::move(row));
  std::vector<std::string> header = {"outcome"};
  std::vector<std::string> cells = {payment.ok() ? "ok" : "malformed"};
  for (const auto& [key, value] : rows) {
    header.push_back(key);
    cells.push_back(value);
  }
  std::printf("%s%s", CsvLine(header).c_str(), CsvLine(cells).c_str());
}

void PrintTable(const absl::StatusOr<x402::Payment>& payment, std::optional<int> decimals) {
  if (!payment.ok()) {
    // No error: that there is none is the answer.
    const std::string condition = MetadataOf(payment.status())["condition"];
    Warn(absl::StrCat("no settlement id: ", payment.status().message(), " [",
                      NameOf(ReasonOf(payment.status()).value_or(Reason::kInternal)),
                      condition.empty() ? "" : ": ", condition, ", exit ",
                      static_cast<int>(kExitFinding), ": ", MeaningOf(kExitFinding), "]"));
    return;
  }
  Table table({"", ""});
  for (auto& [key, value] : RowsOf(*payment)) {
    const bool is_amount = key == "amount";
    if (value.empty() && key != "slot") continue;
    if (value.empty()) {
      table.Add({key, Cell("none: nothing on the chain makes it unique")});
    } else {
      table.Add(
          {key, is_amount ? MoneyText(value, payment->network, payment->asset, decimals) : value});
    }
    if (key == "recipe" && payment->is_weak) {
      table.Add({Cell("weak"), Cell("yes: several payments can share this id")});
    }
  }
  table.Print();
}

absl::StatusOr<x402::Payment> Read(const std::string& text) {
  TALLY_ASSIGN_OR_RETURN(const PaymentInput input, FindPayment(text));
  return x402::ReadPayment(input.payment);
}

absl::StatusOr<int> Id(const IdOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const std::string text, ReadAll("FILE", options.path, kBytesMax));
  const absl::StatusOr<x402::Payment> payment = Read(text);
  if (form == Form::kJson) {
    PrintJson(payment);
  } else if (form == Form::kCsv) {
    PrintCsv(payment);
  } else {
    PrintTable(payment, options.shared.decimals);
  }
  return payment.ok() ? kExitFine : kExitFinding;
}

}  // namespace

void AddId(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("id", kAbout);
  auto options = std::make_shared<IdOptions>();
  verb->add_option("FILE", options->path, "JSON; - is stdin")->required();
  AddForm(*verb, options->shared);
  AddDecimals(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Id(*options); }; });
}

}  // namespace tally::cli

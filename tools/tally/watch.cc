// `tally watch`: the answer for one payment, and each new one.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/error_report.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/follow.h"
#include "tools/tally/message_json.h"
#include "tools/tally/session.h"
#include "tools/tally/settlement_json.h"
#include "tools/tally/settlement_key.h"
#include "tools/tally/table.h"
#include "tools/tally/text.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Prints the answer for one payment, and again each time it changes, until it is final.\n"
    "Waits for a payment that is not recorded yet. Needs a server.";
constexpr char kFooter[] =
    "ID is what `tally show` takes. With json one object a line.\n"
    "\n"
    "Examples:\n"
    "  tally watch sha256:4dad… --server 127.0.0.1:7402\n"
    "  tally watch --payment payment.json --output json\n"
    "\n"
    "Exit codes: 0 the answer is final, 2 usage, 3 stopped before it was (Ctrl-C), or the id has\n"
    "several hits (which are listed), 4 refused, unreachable or shutting down, 5 evidence "
    "broken.\n";

struct WatchOptions {
  Options shared;
  KeyOptions key;
};

json::Value JsonOf(const v1::WatchSettlementResponse& response) {
  const v1::Settlement& settlement = response.settlement();
  json::Object object;
  json::Put(object, "state", TextOrNull(WordOf(response.state())));
  json::Put(object, "settlement",
            response.has_settlement() ? json::Value(SummaryJson(settlement)) : json::Value());
  json::Put(object, "reason", TextOrNull(settlement.reason()));
  json::Put(object, "retryAfter",
            TimeOrNull(settlement.has_retry_after(), settlement.retry_after()));
  json::Put(object, "version",
            response.has_settlement() ? json::Value::Integer(settlement.version()) : json::Value());
  return json::Value(std::move(object));
}

std::string WordsOf(const v1::WatchSettlementResponse& response) {
  const v1::Settlement& settlement = response.settlement();
  if (!response.has_settlement()) {
    return absl::StrCat(Paint(Color::kDim, WordOf(response.state())), "\n");
  }
  const std::string label = Paint(ColorOf(settlement.label()), WordOf(settlement.label()));
  return absl::StrCat(label, "  ", Printable(KeyText(settlement)), "  seller ",
                      WordOf(settlement.seller_advice()), ", buyer ",
                      WordOf(settlement.buyer_advice()), "  ", Printable(settlement.reason()),
                      response.state() == v1::WATCH_STATE_FINAL ? "  (final)\n" : "\n");
}

// At once: whoever reads may act on it.
void Print(const v1::WatchSettlementResponse& response, Form form) {
  if (form == Form::kJson) {
    std::printf("%s\n", json::Write(JsonOf(response)).c_str());
  } else if (form == Form::kCsv) {
    std::vector<std::string> cells = SummaryCells(response.settlement());
    cells.insert(cells.begin(), WordOf(response.state()));
    std::fputs(CsvLine(cells).c_str(), stdout);
  } else {
    std::fputs(WordsOf(response).c_str(), stdout);
  }
  std::fflush(stdout);
}

absl::StatusOr<int> Watch(const WatchOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  v1::WatchSettlementRequest request;
  request.set_ledger(options.shared.ReadLedger());
  TALLY_RETURN_IF_ERROR(ReadKey(options.key, request.mutable_key()));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  Interrupt interrupt;
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  if (form == Form::kCsv) {
    std::vector<std::string> columns = SummaryColumns();
    columns.insert(columns.begin(), "state");
    std::fputs(CsvLine(columns).c_str(), stdout);
  }
  auto last = v1::WATCH_STATE_UNSPECIFIED;
  const absl::StatusOr<Followed> followed =
      Follow(interrupt, api->WatchSettlement(request), [&](const auto& response) {
        last = response.state();
        if (last != v1::WATCH_STATE_DRAINING) Print(response, form);
        return true;
      });
  if (!followed.ok()) {
    if (ReasonOf(followed.status()) == Reason::kAliasAmbiguous) {
      PrintHits(followed.status(), form);
    }
    return followed.status();
  }
  if (last == v1::WATCH_STATE_FINAL) return kExitFine;
  if (*followed == Followed::kInterrupted) return kExitCouldNotTell;
  return Error(Reason::kServerUnreachable, "the server is shutting down");
}

}  // namespace

void AddWatch(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("watch", kAbout);
  auto options = std::make_shared<WatchOptions>();
  AddKey(*verb, options->key);
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Watch(*options); }; });
}

}  // namespace tally::cli

// `tally ledger create` and `tally ledger list`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/message_json.h"
#include "tools/tally/session.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kCreateAbout[] =
    "Makes a ledger: one party's book.\n"
    "With --database the file is made too. The same again is fine, and says so.";
constexpr char kCreateFooter[] =
    "Example:\n"
    "  tally ledger create shop --role seller --database shop.db \\\n"
    "    --endpoint stdio:=https://tools.example/mcp\n"
    "\n"
    "Exit codes: 0 made or there before, 2 usage, 4 the name is taken by another ledger, or "
    "refused.\n";
constexpr char kListAbout[] =
    "Lists the ledgers of a server or a database file,\n"
    "with whose book each one is and how many events it holds.";
constexpr char kListFooter[] =
    "Example:\n"
    "  tally ledger list --server 127.0.0.1:7402\n"
    "\n"
    "Exit codes: 0 fine, 2 usage, 4 refused or unreachable, 5 evidence broken.\n";

struct CreateOptions {
  Options shared;
  std::string name;
  std::string role;
  std::vector<std::string> endpoints;  // NAME=CANONICAL
};

json::Object LedgerJson(const v1::Ledger& ledger) {
  json::Object object;
  json::Put(object, "name", TextOrNull(ledger.name()));
  json::Put(object, "role", TextOrNull(WordOf(ledger.role())));
  json::Object endpoints;
  const std::map<std::string, std::string> sorted(ledger.endpoint_names().begin(),
                                                  ledger.endpoint_names().end());
  for (const auto& [name, endpoint] : sorted) json::Put(endpoints, name, json::Text(endpoint));
  json::Put(object, "endpointNames", json::Value(std::move(endpoints)));
  json::Put(object, "createdTime", TimeOrNull(ledger.has_created_time(), ledger.created_time()));
  json::Put(object, "lastPosition", json::Value::Integer(ledger.last_position()));
  return object;
}

std::vector<std::string> Cells(const v1::Ledger& ledger) {
  std::vector<std::string> endpoints;
  for (const auto& [name, endpoint] : ledger.endpoint_names()) {
    endpoints.push_back(absl::StrCat(name, "=", endpoint));
  }
  std::sort(endpoints.begin(), endpoints.end());
  return {ledger.name(), WordOf(ledger.role()), absl::StrCat(ledger.last_position()),
          TimeText(ledger.has_created_time(), ledger.created_time()),
          absl::StrJoin(endpoints, " ")};
}

absl::StatusOr<v1::CreateLedgerRequest> RequestOf(const CreateOptions& options) {
  v1::CreateLedgerRequest request;
  request.set_name(options.name);
  v1::LedgerRole role = v1::LEDGER_ROLE_UNSPECIFIED;
  if (!ReadWord(options.role, &role)) {
    return FieldError("--role", options.role, "seller, buyer or facilitator");
  }
  request.set_role(role);
  for (const std::string& endpoint : options.endpoints) {
    // From the right: an endpoint's name may be a URL with `=` in it, what it stands for has none.
    const std::size_t split = endpoint.rfind('=');
    if (split == std::string::npos || split == 0 || split + 1 == endpoint.size()) {
      return FieldError("--endpoint", endpoint, "NAME=CANONICAL");
    }
    (*request.mutable_endpoint_names())[endpoint.substr(0, split)] = endpoint.substr(split + 1);
  }
  return request;
}

absl::StatusOr<int> Create(const CreateOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const v1::CreateLedgerRequest request, RequestOf(options));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kCreate));
  const absl::StatusOr<v1::CreateLedgerResponse> created = api->CreateLedger(request);
  if (!created.ok()) {
    return AsTyped(created.status(), {{"name", "NAME"}, {"endpoint_names", "--endpoint"}});
  }
  const v1::CreateLedgerResponse& response = *created;
  const v1::Ledger& ledger = response.ledger();
  if (form == Form::kJson) {
    json::Object object = LedgerJson(ledger);
    json::Put(object, "isCreated", json::Value(response.is_created()));
    std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
  } else if (form == Form::kCsv) {
    std::fputs(CsvLine({"name", "role", "isCreated"}).c_str(), stdout);
    std::fputs(
        CsvLine({ledger.name(), WordOf(ledger.role()), response.is_created() ? "true" : "false"})
            .c_str(),
        stdout);
  } else {
    std::printf("%s %s (%s)\n", response.is_created() ? "created" : "was there before:",
                Printable(ledger.name()).c_str(), WordOf(ledger.role()).c_str());
  }
  return kExitFine;
}

absl::StatusOr<int> List(const Options& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  TALLY_ASSIGN_OR_RETURN(const v1::ListLedgersResponse response, api->ListLedgers({}));
  if (form == Form::kJson) {
    json::Array array;
    for (const v1::Ledger& ledger : response.ledgers()) array.emplace_back(LedgerJson(ledger));
    std::printf("%s\n", json::WritePretty(json::Value(std::move(array))).c_str());
    return kExitFine;
  }
  Table table({"LEDGER", "ROLE", "EVENTS", "CREATED", "ENDPOINTS"});
  if (form == Form::kCsv) {
    std::fputs(CsvLine({"name", "role", "lastPosition", "createdTime", "endpointNames"}).c_str(),
               stdout);
  }
  for (const v1::Ledger& ledger : response.ledgers()) {
    const std::vector<std::string> cells = Cells(ledger);
    if (form == Form::kCsv) std::fputs(CsvLine(cells).c_str(), stdout);
    table.Add({cells.begin(), cells.end()});
  }
  if (form == Form::kTable) table.Print();
  return kExitFine;
}

}  // namespace

void AddLedgerVerbs(CLI::App& app, Action& action) {
  CLI::App* noun = app.add_subcommand("ledger", "Makes and lists ledgers");
  noun->require_subcommand(1);

  CLI::App* create = noun->add_subcommand("create", kCreateAbout);
  auto options = std::make_shared<CreateOptions>();
  create->add_option("NAME", options->name, "[a-z0-9][a-z0-9_-]{0,62}")->required();
  create->add_option("--role", options->role, "Whose book: seller, buyer or facilitator")
      ->type_name("ROLE")
      ->required();
  create
      ->add_option("--endpoint", options->endpoints,
                   "An endpoint's other name and what it stands for; may be repeated")
      ->type_name("NAME=CANONICAL")
      ->allow_extra_args(false);
  AddTarget(*create, options->shared);
  AddForm(*create, options->shared);
  create->footer(kCreateFooter);
  create->callback([options, &action] { action = [options] { return Create(*options); }; });

  CLI::App* list = noun->add_subcommand("list", kListAbout);
  auto shared = std::make_shared<Options>();
  AddTarget(*list, *shared);
  AddForm(*list, *shared);
  list->footer(kListFooter);
  list->callback([shared, &action] { action = [shared] { return List(*shared); }; });
}

}  // namespace tally::cli

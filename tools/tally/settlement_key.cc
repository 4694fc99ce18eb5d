#include "tools/tally/settlement_key.h"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/input.h"
#include "tools/tally/payment_input.h"
#include "tools/tally/settlement_json.h"
#include "tools/tally/table.h"
#include "tools/tally/text.h"

namespace tally::cli {

namespace v1 = ::tallystick::v1;

namespace {

constexpr std::size_t kInputBytesMax = std::size_t{16} * 1024 * 1024;

// SESSION:ID. The id is JSON text; a bare word is a string. Both may hold colons: the first colon
// with JSON behind it counts, else the last.
absl::Status ReadCall(const std::string& text, v1::CallId* out) {
  std::size_t split = text.find(':');
  while (split != std::string::npos && !json::Parse(text.substr(split + 1)).ok()) {
    split = text.find(':', split + 1);
  }
  const bool is_json = split != std::string::npos;
  if (!is_json) split = text.rfind(':');
  if (split == std::string::npos || split == 0 || split + 1 == text.size()) {
    return FieldError("--call", text, "SESSION:ID, such as s1:2 or s1:\"a\"");
  }
  const std::string id = text.substr(split + 1);
  out->set_session(text.substr(0, split));
  out->set_request_id(is_json ? id : json::Write(json::Text(id)));
  return absl::OkStatus();
}

// One settlement that an alias hits: its id, its challenge's, or a call.
struct Hit {
  std::string id;  // empty for a call
  v1::CallId call;
};

std::vector<Hit> HitsOf(const absl::Status& status) {
  std::vector<Hit> hits;
  const absl::StatusOr<json::Document> listed = json::Parse(MetadataOf(status)["hits"]);
  if (!listed.ok() || listed->value.array() == nullptr) return hits;
  for (const json::Value& key : *listed->value.array()) {
    if (key.string() == nullptr) continue;
    const std::size_t blank = key.string()->find(' ');
    Hit hit;
    if (blank == std::string::npos) {
      hit.id = *key.string();
    } else {
      hit.call.set_session(key.string()->substr(0, blank));
      hit.call.set_request_id(key.string()->substr(blank + 1));
    }
    hits.push_back(std::move(hit));
  }
  return hits;
}

}  // namespace

void AddKey(CLI::App& verb, KeyOptions& options) {
  verb.add_option("ID", options.id, "What it is known by");
  verb.add_option("--payment", options.payment,
                  "The payment: whatever `tally id` takes; - is stdin")
      ->type_name("FILE");
  verb.add_option("--call", options.call,
                  "The MCP call, as rows name it: its id is JSON, a bare word a string")
      ->type_name("SESSION:ID");
}

absl::Status ReadKey(const KeyOptions& options, v1::SettlementKey* key) {
  const int given = (options.id.empty() ? 0 : 1) + (options.payment.empty() ? 0 : 1) +
                    (options.call.empty() ? 0 : 1);
  if (given != 1) {
    return FieldError("ID, --payment, --call", absl::StrCat(given, " of them"), "exactly one");
  }
  if (!options.call.empty()) return ReadCall(options.call, key->mutable_call());
  if (!options.payment.empty()) {
    TALLY_ASSIGN_OR_RETURN(const std::string text,
                           ReadAll("--payment", options.payment, kInputBytesMax));
    const absl::StatusOr<PaymentInput> input = FindPayment(text);
    if (!input.ok()) return AsTyped(input.status(), {{"payment", "--payment"}});
    key->set_payment_document(input->text);
    return absl::OkStatus();
  }
  key->set_any(options.id);
  return absl::OkStatus();
}

void PrintHits(const absl::Status& status, Form form) {
  json::Array array;
  if (form == Form::kCsv) std::fputs(CsvLine({"hit"}).c_str(), stdout);
  for (const Hit& hit : HitsOf(status)) {
    const std::string text = hit.id.empty() ? CallText(hit.call) : hit.id;
    if (form == Form::kTable) {
      const std::string argument = hit.id.empty() ? CallArgument(hit.call) : hit.id;
      std::printf("%s\n", Printable(argument).c_str());
    }
    if (form == Form::kCsv) std::fputs(CsvLine({text}).c_str(), stdout);
    array.push_back(json::Text(text));
  }
  if (form != Form::kJson) return;
  json::Object object;
  json::Put(object, "hits", json::Value(std::move(array)));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

}  // namespace tally::cli

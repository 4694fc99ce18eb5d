#include "tools/tally/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "ledger/base/clock.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/time_codec.h"

namespace tally::cli {
namespace {

constexpr absl::string_view kOneTarget =
    "exactly one of --server ADDR (or TALLY_SERVER) and --database FILE (or TALLY_DATABASE)";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

absl::StatusOr<Target> Options::ReadTarget() const {
  Target target{server, database, absl::ZeroDuration()};
  if (server.empty() && database.empty()) {
    target.server = Environment("TALLY_SERVER");
    target.database = Environment("TALLY_DATABASE");
  }
  if (target.server.empty() == target.database.empty()) {
    const bool is_neither = target.server.empty();
    const absl::string_view seen = is_neither ? "neither" : "both";
    return Error(is_neither ? Reason::kFieldMissing : Reason::kFieldMalformed,
                 absl::StrCat("--server, --database: saw ", seen, ", wanted ", kOneTarget))
        .With("field", "--server, --database")
        .With("seen", seen)
        .With("wanted", kOneTarget);
  }
  if (!absl::ParseDuration(deadline, &target.deadline) || target.deadline <= absl::ZeroDuration()) {
    return FieldError("--deadline", deadline, "a time span such as 10s or 1m");
  }
  return target;
}

absl::StatusOr<std::string> Options::ReadDatabase() const {
  std::string path = database.empty() ? Environment("TALLY_DATABASE") : database;
  if (!path.empty()) return path;
  constexpr absl::string_view kWanted = "--database FILE (or TALLY_DATABASE): it needs the file";
  return Error(Reason::kFieldMissing, absl::StrCat("--database: saw nothing, wanted ", kWanted))
      .With("field", "--database")
      .With("seen", "nothing")
      .With("wanted", kWanted);
}

std::string Options::ReadLedger() const {
  return ledger.empty() ? Environment("TALLY_LEDGER") : ledger;
}

absl::StatusOr<Form> Options::ReadForm() const {
  if (output == "table") return Form::kTable;
  if (output == "json") return Form::kJson;
  if (output == "csv") return Form::kCsv;
  return FieldError("--output", output, "table, json or csv");
}

void AddTarget(CLI::App& verb, Options& options) {
  verb.add_option("--server", options.server, "Address of a tallyd [TALLY_SERVER]")
      ->type_name("ADDR");
  AddDatabase(verb, options);
  verb.add_option("--deadline", options.deadline, "How long one request may take; default 10s")
      ->type_name("SPAN");
}

void AddDatabase(CLI::App& verb, Options& options) {
  verb.add_option("--database", options.database,
                  "Database file, without a server [TALLY_DATABASE]")
      ->type_name("FILE");
}

void AddLedger(CLI::App& verb, Options& options) {
  verb.add_option("--ledger", options.ledger,
                  "Ledger; may be left out when there is one [TALLY_LEDGER]")
      ->type_name("NAME");
}

void AddForm(CLI::App& verb, Options& options) {
  verb.add_option("--output", options.output, "table, json or csv; default table")
      ->type_name("FORM");
}

void AddTimes(CLI::App& verb, Options& options) {
  verb.add_option("--as-of", options.as_of, "Take what occurred up to then, and judge then")
      ->type_name("TIME");
  verb.add_option("--known-at", options.known_at, "Take only what was recorded up to then")
      ->type_name("TIME");
}

void AddDecimals(CLI::App& verb, Options& options) {
  verb.add_option("--decimals", options.decimals,
                  "Decimals of amounts, for assets that the table of known ones lacks")
      ->type_name("N")
      ->check(CLI::Range(0, 77).description(""));
}

absl::Status ReadTimeOption(absl::string_view option, const std::string& text,
                            const std::function<google::protobuf::Timestamp*()>& out) {
  if (text.empty()) return absl::OkStatus();
  const absl::StatusOr<absl::Time> time = ParseTime(text);
  if (!time.ok()) {
    return FieldError(option, text, "a time of RFC 3339, such as 2026-01-31T12:00:00Z");
  }
  protocol::ToProto(*time, out());
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> ReadCountOption(absl::string_view option, const std::string& text,
                                             std::int64_t least) {
  std::int64_t count = 0;
  if (text.empty()) return count;
  if (absl::SimpleAtoi(text, &count) && count >= least) return count;
  return FieldError(option, text, absl::StrCat("a whole number from ", least));
}

absl::Status AsTyped(const absl::Status& status, std::initializer_list<Typed> names) {
  const std::optional<Reason> reason = ReasonOf(status);
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  const auto field = metadata.find("field");
  if (!reason.has_value() || field == metadata.end()) return status;
  for (const Typed& typed : names) {
    absl::string_view below = field->second;
    if (!absl::ConsumePrefix(&below, typed.field)) continue;
    if (!below.empty() && below.front() != '.' && below.front() != '[') continue;
    absl::ConsumePrefix(&below, ".");
    const std::string name = absl::StrCat(typed.option, below.empty() ? "" : ": ", below);
    absl::string_view message = status.message();
    absl::ConsumePrefix(&message, field->second);
    absl::ConsumePrefix(&message, ": ");
    Error error(*reason, absl::StrCat(name, ": ", message));
    for (const auto& [key, value] : metadata) error.With(key, key == "field" ? name : value);
    return error;
  }
  return status;
}

}  // namespace tally::cli

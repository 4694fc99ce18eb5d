// `tally events`: everything on file, in order of position.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/event_json.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/session.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Prints events as they were recorded, by position: gap-free, none twice.\n"
    "The last position is where a later call goes on: --after.";
constexpr char kFooter[] =
    "Example:\n"
    "  tally events --after 1000 --output json\n"
    "\n"
    "Exit codes: 0 fine, 2 usage, 4 refused or unreachable, 5 evidence broken.\n";

constexpr std::int64_t kPageRows = 500;

struct EventsOptions {
  Options shared;
  std::int64_t after = 0;
  std::int64_t limit = 0;  // 0: all
  bool is_raw = false;
};

// One at a time: a ledger is longer than memory.
void Print(const v1::RecordedEvent& recorded, Form form, bool is_raw, bool is_first) {
  const v1::Event& event = recorded.event();
  const std::string time = TimeText(event.has_occurred_time(), event.occurred_time());
  if (form == Form::kJson) {
    const std::string text = json::Write(json::Value(EventJson(recorded, is_raw)));
    std::printf("%s%s", is_first ? "[\n" : ",\n", text.c_str());
  } else if (form == Form::kCsv) {
    std::fputs(CsvLine({absl::StrCat(recorded.position()), absl::StrCat(recorded.version()), time,
                        TimeText(recorded.has_recorded_time(), recorded.recorded_time()),
                        EventType(event), SubjectText(event.subject()), EventWords(event)})
                   .c_str(),
               stdout);
  } else {
    std::printf("%6lld  %s  %-21s  %s  %s\n", static_cast<long long>(recorded.position()),
                time.c_str(), EventType(event).c_str(),
                Printable(SubjectText(event.subject())).c_str(),
                Printable(EventWords(event)).c_str());
  }
}

absl::StatusOr<int> Events(const EventsOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  v1::ReadEventsRequest request;
  request.set_ledger(options.shared.ReadLedger());
  request.set_after_position(options.after);
  std::int64_t rows = 0;
  for (;;) {
    const std::int64_t left = options.limit == 0 ? kPageRows : options.limit - rows;
    request.set_page_size(static_cast<std::int32_t>(std::min(left, kPageRows)));
    TALLY_ASSIGN_OR_RETURN(const v1::ReadEventsResponse page, api->ReadEvents(request));
    if (rows == 0 && form == Form::kCsv && request.after_position() == options.after) {
      std::fputs(
          CsvLine({"position", "version", "time", "recordedTime", "type", "subject", "words"})
              .c_str(),
          stdout);
    }
    for (const v1::RecordedEvent& event : page.events()) {
      Print(event, form, options.is_raw, rows++ == 0);
    }
    if (page.events().empty() || (options.limit != 0 && rows >= options.limit)) break;
    request.set_after_position(page.next_after_position());
  }
  if (form == Form::kJson) std::fputs(rows == 0 ? "[]\n" : "\n]\n", stdout);
  return kExitFine;
}

}  // namespace

void AddEvents(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("events", kAbout);
  auto options = std::make_shared<EventsOptions>();
  verb->add_option("--after", options->after, "Only those with a greater position")
      ->type_name("POSITION")
      ->check(CLI::NonNegativeNumber.description(""));
  verb->add_option("--limit", options->limit, "At most so many; default all")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  verb->add_flag("--raw", options->is_raw,
                 "With json: wire documents too; they can hold live signatures");
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Events(*options); }; });
}

}  // namespace tally::cli

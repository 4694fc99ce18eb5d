// `tally events`: everything on file, in order of position.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/event_json.h"
#include "tools/tally/exit_codes.h"
#include "tools/tally/follow.h"
#include "tools/tally/session.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Prints events as they were recorded, by position: gap-free, none twice.\n"
    "The last position is where a later call goes on: --after. With --follow it goes on by itself.";
constexpr char kFooter[] =
    "With json it prints an array; with json and --follow one object a line, as they come.\n"
    "\n"
    "Examples:\n"
    "  tally events --after 1000 --output json\n"
    "  tally events --follow --server 127.0.0.1:7402\n"
    "\n"
    "Exit codes: 0 fine (with --follow: Ctrl-C), 2 usage, 4 refused or unreachable, 5 evidence "
    "broken.\n";

constexpr std::int64_t kPageRows = 500;

struct EventsOptions {
  Options shared;
  std::string after;
  std::string limit;
  bool is_raw = false;
  bool is_following = false;
};

std::string JsonOf(const v1::RecordedEvent& recorded, bool is_raw) {
  return json::Write(json::Value(EventJson(recorded, is_raw)));
}

void PrintHeader(Form form) {
  if (form != Form::kCsv) return;
  std::fputs(
      CsvLine({"position", "version", "time", "recordedTime", "type", "subject", "words"}).c_str(),
      stdout);
}

// One at a time: a ledger is longer than memory.
void Print(const v1::RecordedEvent& recorded, Form form) {
  const v1::Event& event = recorded.event();
  const std::string time = TimeText(event.has_occurred_time(), event.occurred_time());
  if (form == Form::kCsv) {
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

struct Bounds {
  std::int64_t after = 0;
  std::int64_t limit = 0;  // 0: all
};

absl::StatusOr<int> List(const EventsOptions& options, Bounds bounds, Form form,
                         const Target& target) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  v1::ReadEventsRequest request;
  request.set_ledger(options.shared.ReadLedger());
  request.set_after_position(bounds.after);
  std::int64_t rows = 0;
  for (;;) {
    const std::int64_t left = bounds.limit == 0 ? kPageRows : bounds.limit - rows;
    request.set_page_size(static_cast<std::int32_t>(std::min(left, kPageRows)));
    TALLY_ASSIGN_OR_RETURN(const v1::ReadEventsResponse page, api->ReadEvents(request));
    if (request.after_position() == bounds.after) PrintHeader(form);
    for (const v1::RecordedEvent& event : page.events()) {
      if (form == Form::kJson) {
        std::printf("%s%s", rows == 0 ? "[\n" : ",\n", JsonOf(event, options.is_raw).c_str());
      } else {
        Print(event, form);
      }
      ++rows;
    }
    if (page.events().empty() || (bounds.limit != 0 && rows >= bounds.limit)) break;
    request.set_after_position(page.next_after_position());
  }
  if (form == Form::kJson) std::fputs(rows == 0 ? "[]\n" : "\n]\n", stdout);
  return kExitFine;
}

absl::StatusOr<int> FollowAll(const EventsOptions& options, Bounds bounds, Form form,
                              const Target& target) {
  Interrupt interrupt;
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kRead));
  v1::SubscribeEventsRequest request;
  request.set_ledger(options.shared.ReadLedger());
  request.set_after_position(bounds.after);
  PrintHeader(form);
  std::int64_t rows = 0;
  std::int64_t position = bounds.after;
  TALLY_ASSIGN_OR_RETURN(
      const Followed followed,
      Follow(interrupt, api->SubscribeEvents(request), [&](const auto& response) {
        for (const v1::RecordedEvent& event : response.events()) {
          if (bounds.limit != 0 && rows >= bounds.limit) break;
          if (form == Form::kJson) {
            std::printf("%s\n", JsonOf(event, options.is_raw).c_str());
          } else {
            Print(event, form);
          }
          ++rows;
        }
        std::fflush(stdout);
        position = response.through_position();
        return bounds.limit == 0 || rows < bounds.limit;
      }));
  if (followed != Followed::kEnded) return kExitFine;
  return Error(Reason::kServerUnreachable,
               absl::StrCat("the server is shutting down; go on with --after ", position));
}

absl::StatusOr<int> Events(const EventsOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  Bounds bounds;
  TALLY_ASSIGN_OR_RETURN(bounds.after, ReadCountOption("--after", options.after, 0));
  TALLY_ASSIGN_OR_RETURN(bounds.limit, ReadCountOption("--limit", options.limit, 1));
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  return options.is_following ? FollowAll(options, bounds, form, target)
                              : List(options, bounds, form, target);
}

}  // namespace

void AddEvents(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("events", kAbout);
  auto options = std::make_shared<EventsOptions>();
  verb->add_option("--after", options->after, "Only those with a greater position")
      ->type_name("POSITION");
  verb->add_option("--limit", options->limit, "At most so many; default all")->type_name("N");
  verb->add_flag("--raw", options->is_raw,
                 "With json: wire documents too; they can hold live signatures");
  verb->add_flag("--follow", options->is_following,
                 "Go on with what is recorded from now on, until Ctrl-C; needs a server");
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Events(*options); }; });
}

}  // namespace tally::cli

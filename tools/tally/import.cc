// `tally import`: recorded exchanges into a ledger.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/error_report.h"
#include "tools/tally/importer.h"
#include "tools/tally/message_json.h"
#include "tools/tally/session.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Records transcripts: JSON Lines, one observation a line (docs/PROTOCOL.md).\n"
    "Files in any order, or twice, end in the same state: what is there is not recorded again.";
constexpr char kFooter[] =
    "Bad lines are listed with file, line, field, what was seen and what was wanted; the others\n"
    "are recorded. A torn last line is mentioned, and is no error.\n"
    "\n"
    "Example:\n"
    "  tally import --ledger shop recorded/*.seller.jsonl\n"
    "\n"
    "Exit codes: 0 all lines were read, 1 some were left out, 2 usage, 4 refused or unreachable.\n";

// How many notes the JSON summary holds; stderr has them all.
constexpr std::size_t kNotesMax = 1000;

struct ImportOptions {
  Options shared;
  std::vector<std::string> files;
  bool is_strict = false;
};

std::string PlaceOf(const LineRef& at) {
  const std::string file = at.file == "-" ? "stdin" : at.file;
  return at.line == 0 ? file : absl::StrCat(file, ":", at.line);
}

// Says on stderr what happens, and remembers it for the summary.
class Narrator {
 public:
  explicit Narrator(absl::Time start) : start_(start), last_(start) {}

  void OnNote(const ImportNote& note) {
    ClearProgress();
    const bool is_refused = note.kind == ImportNote::Kind::kFileRefused;
    // A torn line is no error, so it has no reason to look up.
    const bool has_reason = note.kind != ImportNote::Kind::kTornLine && !note.reason.empty();
    Warn(absl::StrCat(PlaceOf(note.at), ": ", is_refused ? "file refused: " : "", note.message,
                      has_reason ? absl::StrCat(" [", note.reason, "]") : ""));
    json::Array& list = lists_[note.kind];
    if (list.size() < kNotesMax) list.emplace_back(NoteJson(note));
  }

  void OnProgress(const ImportCounts& counts) {
    const absl::Time now = absl::Now();
    if (!IsTerminal(stderr) || now - last_ < absl::Milliseconds(200) ||
        now - start_ < absl::Seconds(1)) {
      return;
    }
    last_ = now;
    is_progress_shown_ = true;
    std::fprintf(stderr, "\r%llu lines, %llu MiB, %llu events recorded\x1b[K",
                 static_cast<unsigned long long>(counts.lines),
                 static_cast<unsigned long long>(counts.bytes >> 20U),
                 static_cast<unsigned long long>(counts.recorded));
  }

  void ClearProgress() {
    if (is_progress_shown_) std::fputs("\r\x1b[K", stderr);
    is_progress_shown_ = false;
  }

  json::Value Take(ImportNote::Kind kind) { return json::Value(std::move(lists_[kind])); }

 private:
  static json::Object NoteJson(const ImportNote& note) {
    json::Object object;
    json::Put(object, "file", json::Text(note.at.file));
    json::Put(object, "line", json::Value::Integer(static_cast<std::int64_t>(note.at.line)));
    json::Put(object, "reason", TextOrNull(note.reason));
    json::Put(object, "field", TextOrNull(note.field));
    json::Put(object, "seen", TextOrNull(note.seen));
    json::Put(object, "wanted", TextOrNull(note.wanted));
    json::Put(object, "message", json::Text(note.message));
    return object;
  }

  const absl::Time start_;
  absl::Time last_;
  bool is_progress_shown_ = false;
  std::map<ImportNote::Kind, json::Array> lists_;
};

void PrintJson(const v1::Ledger& ledger, const ImportCounts& counts, bool is_stopped,
               Narrator& narrator) {
  const auto number = [](std::uint64_t value) {
    return json::Value::Integer(static_cast<std::int64_t>(value));
  };
  json::Object object;
  json::Put(object, "ledger", json::Text(ledger.name()));
  json::Put(object, "files", number(counts.files));
  json::Put(object, "lines", number(counts.lines));
  json::Put(object, "linesWithEvents", number(counts.with_events));
  json::Put(object, "recorderLines", number(counts.of_recorders));
  json::Put(object, "skipped", number(counts.skipped));
  json::Put(object, "leftOut", number(counts.left_out));
  json::Put(object, "tornLines", number(counts.torn));
  json::Put(object, "recorded", number(counts.recorded));
  json::Put(object, "alreadyThere", number(counts.already_there));
  json::Put(object, "isStopped", json::Value(is_stopped));
  json::Put(object, "bad", narrator.Take(ImportNote::Kind::kBadLine));
  json::Put(object, "requestNotSeen", narrator.Take(ImportNote::Kind::kRequestNotSeen));
  json::Put(object, "torn", narrator.Take(ImportNote::Kind::kTornLine));
  json::Put(object, "refusedFiles", narrator.Take(ImportNote::Kind::kFileRefused));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

std::string Counted(std::uint64_t count, absl::string_view one, absl::string_view more) {
  return absl::StrCat(count, " ", count == 1 ? one : more);
}

// The kinds of lines add up to all lines.
void PrintWords(const v1::Ledger& ledger, const ImportCounts& counts, bool is_stopped) {
  const bool is_nothing_new = counts.recorded == 0 && counts.already_there > 0;
  std::string words = absl::StrCat(
      ledger.name(), ": ", is_nothing_new ? "nothing new: " : "",
      Counted(counts.lines, "line", "lines"), " in ", Counted(counts.files, "file", "files"), ": ",
      Counted(counts.recorded, "event", "events"), " recorded, ", counts.already_there,
      " already there; ", counts.with_events, " lines with events, ", counts.of_recorders,
      " of recorders, ", counts.skipped, " without an event of their own");
  if (counts.torn > 0) absl::StrAppend(&words, ", ", counts.torn, " torn");
  if (counts.left_out > 0) absl::StrAppend(&words, ", ", counts.left_out, " left out");
  if (counts.refused_files > 0) {
    absl::StrAppend(&words, "; ", Counted(counts.refused_files, "file", "files"), " refused");
  }
  std::printf("%s%s\n", words.c_str(), is_stopped ? "; stopped there" : "");
}

void PrintCsv(const v1::Ledger& ledger, const ImportCounts& counts) {
  std::fputs(CsvLine({"ledger", "files", "lines", "recorded", "alreadyThere", "skipped", "leftOut",
                      "linesWithEvents", "recorderLines", "tornLines", "refusedFiles"})
                 .c_str(),
             stdout);
  std::fputs(CsvLine({ledger.name(), absl::StrCat(counts.files), absl::StrCat(counts.lines),
                      absl::StrCat(counts.recorded), absl::StrCat(counts.already_there),
                      absl::StrCat(counts.skipped), absl::StrCat(counts.left_out),
                      absl::StrCat(counts.with_events), absl::StrCat(counts.of_recorders),
                      absl::StrCat(counts.torn), absl::StrCat(counts.refused_files)})
                 .c_str(),
             stdout);
}

absl::StatusOr<int> Import(const ImportOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  TALLY_ASSIGN_OR_RETURN(const Target target, options.shared.ReadTarget());
  // A name that can't be opened is a slip: said before anything is recorded.
  for (const std::string& path : options.files) {
    TALLY_RETURN_IF_ERROR(CheckFile("FILE", path));
  }
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Api> api, OpenApi(target, Access::kWrite));
  v1::GetLedgerRequest which;
  which.set_name(options.shared.ReadLedger());
  TALLY_ASSIGN_OR_RETURN(const v1::GetLedgerResponse found, api->GetLedger(which));
  Narrator narrator(absl::Now());
  Importer importer(*api, found.ledger(), options.is_strict,
                    {[&](const ImportNote& note) { narrator.OnNote(note); },
                     [&](const ImportCounts& counts) { narrator.OnProgress(counts); }});
  absl::Status status;
  for (const std::string& path : options.files) {
    if (importer.is_stopped()) break;
    status = importer.ImportFile(path);
    if (!status.ok()) break;
  }
  if (status.ok() && !importer.is_stopped()) status = importer.Finish();
  narrator.ClearProgress();
  TALLY_RETURN_IF_ERROR(status);
  if (form == Form::kJson) {
    PrintJson(found.ledger(), importer.counts(), importer.is_stopped(), narrator);
  } else if (form == Form::kCsv) {
    PrintCsv(found.ledger(), importer.counts());
  } else {
    PrintWords(found.ledger(), importer.counts(), importer.is_stopped());
  }
  return importer.has_findings() ? kExitFinding : kExitFine;
}

}  // namespace

void AddImport(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("import", kAbout);
  auto options = std::make_shared<ImportOptions>();
  verb->add_option("FILE", options->files, "Transcripts; - is stdin")->required();
  verb->add_flag("--strict", options->is_strict, "Stop at the first line that can't be recorded");
  AddTarget(*verb, options->shared);
  AddLedger(*verb, options->shared);
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Import(*options); }; });
}

}  // namespace tally::cli

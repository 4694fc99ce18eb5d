// `tally selftest`: whether this machine keeps what the ledger promises.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/crash_cycles.h"
#include "tools/tally/error_report.h"
#include "tools/tally/progress.h"
#include "tools/tally/table.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "Kills servers under load on this machine's own disk, and looks whether anything is lost.\n"
    "Works in a temporary folder; no database of yours is touched.";
constexpr char kFooter[] =
    "Each cycle: a tallyd is started, four callers record batches of events and claim runs, and at "
    "a\n"
    "random moment it is killed as by `kill -9`; now and then the next one too, while it starts. "
    "Then\n"
    "one is left alone, and everything is read back:\n"
    "  - every acknowledged event is there, as it was written, at the position that was told;\n"
    "  - positions have no gap, no event is there twice, no batch is there by half;\n"
    "  - what got no answer is sent again, and is then there once;\n"
    "  - a claim is granted once, and again under the same execution id.\n"
    "Every tenth cycle and at the end the whole file is checked as by `tally check`.\n"
    "\n"
    "A kill loses nothing that the operating system was told. Whether the disk keeps what it says "
    "it\n"
    "has synced, only a power cut shows: pull the plug under load, then run `tally check`.\n"
    "\n"
    "Example:\n"
    "  tally selftest --crash-cycles 50\n"
    "\n"
    "The tallyd is the one beside this tally. With the same --seed the same is written, and "
    "killed\n"
    "after as many batches.\n"
    "\n"
    "Exit codes: 0 nothing was lost, changed or doubled; 2 usage; 4 a server did not start or "
    "refused\n"
    "what it must not; 5 something was (the folder stays, and is named).\n";

struct SelftestOptions {
  Options shared;
  std::int64_t cycles = 0;
  std::optional<std::uint64_t> seed;
  std::string folder;
};

absl::StatusOr<std::string> FindServer() {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::filesystem::path server = self.parent_path() / "tallyd";
  if (!failed && std::filesystem::exists(server, failed)) return server.string();
  return Error(Reason::kServerUnreachable,
               absl::StrCat("there is no ", server.string(), ": it has to be beside tally"));
}

absl::StatusOr<std::string> MakeFolder(const std::string& where) {
  std::error_code ignored;
  const std::filesystem::path in =
      where.empty() ? std::filesystem::temp_directory_path(ignored) : std::filesystem::path(where);
  std::string pattern = (in / "tally-selftest-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) return pattern;
  return FieldError("--folder", in.string(),
                    absl::StrCat("a folder to write in (", std::strerror(errno), ")"));
}

std::string ProgressOf(const CrashReport& report, std::int64_t cycles) {
  return absl::StrCat("cycle ", report.cycles, " of ", cycles, ": ", report.kills, " kills, ",
                      report.batches, " batches acknowledged");
}

void PrintWords(const CrashReport& report, std::uint64_t seed) {
  std::printf(
      "%s: %lld cycles, %lld kills; %lld batches acknowledged, %lld events and %lld claims on "
      "file; %lld batches got no answer, %lld of those were on file; seed %llu\n",
      report.wrong.empty() ? "nothing was lost, changed or doubled" : "broken",
      static_cast<long long>(report.cycles), static_cast<long long>(report.kills),
      static_cast<long long>(report.batches), static_cast<long long>(report.events),
      static_cast<long long>(report.claims), static_cast<long long>(report.asked_again),
      static_cast<long long>(report.replayed), static_cast<unsigned long long>(seed));
}

void PrintCsv(const CrashReport& report, std::uint64_t seed) {
  std::fputs(CsvLine({"isWhole", "seed", "cycles", "kills", "batches", "events", "claims",
                      "askedAgain", "replayed"})
                 .c_str(),
             stdout);
  std::fputs(CsvLine({report.wrong.empty() ? "true" : "false", absl::StrCat(seed),
                      absl::StrCat(report.cycles), absl::StrCat(report.kills),
                      absl::StrCat(report.batches), absl::StrCat(report.events),
                      absl::StrCat(report.claims), absl::StrCat(report.asked_again),
                      absl::StrCat(report.replayed)})
                 .c_str(),
             stdout);
}

void PrintJson(const CrashReport& report, std::uint64_t seed) {
  json::Array wrong;
  for (const std::string& line : report.wrong) wrong.push_back(json::Text(line));
  json::Object object;
  json::Put(object, "isWhole", json::Value(report.wrong.empty()));
  json::Put(object, "seed", json::Text(absl::StrCat(seed)));
  json::Put(object, "cycles", json::Value::Integer(report.cycles));
  json::Put(object, "kills", json::Value::Integer(report.kills));
  json::Put(object, "batches", json::Value::Integer(report.batches));
  json::Put(object, "events", json::Value::Integer(report.events));
  json::Put(object, "claims", json::Value::Integer(report.claims));
  json::Put(object, "askedAgain", json::Value::Integer(report.asked_again));
  json::Put(object, "replayed", json::Value::Integer(report.replayed));
  json::Put(object, "wrong", json::Value(std::move(wrong)));
  std::printf("%s\n", json::WritePretty(json::Value(std::move(object))).c_str());
}

absl::StatusOr<int> Selftest(const SelftestOptions& options) {
  TALLY_ASSIGN_OR_RETURN(const Form form, options.shared.ReadForm());
  CrashOptions crash;
  crash.cycles = options.cycles;
  crash.seed = options.seed.has_value() ? *options.seed : std::random_device()();
  TALLY_ASSIGN_OR_RETURN(crash.server_program, FindServer());
  TALLY_ASSIGN_OR_RETURN(crash.folder, MakeFolder(options.folder));
  Progress progress;
  absl::StatusOr<CrashReport> report = RunCrashCycles(
      crash, [&](const CrashReport& so_far) { progress.Show(ProgressOf(so_far, crash.cycles)); });
  progress.Clear();
  if (!report.ok() || !report->wrong.empty()) {
    Warn(absl::StrCat("seed ", crash.seed, "; what is left is in ", crash.folder));
  }
  TALLY_RETURN_IF_ERROR(report.status());
  if (form == Form::kJson) {
    PrintJson(*report, crash.seed);
  } else if (form == Form::kCsv) {
    PrintCsv(*report, crash.seed);
  } else {
    PrintWords(*report, crash.seed);
  }
  for (const std::string& line : report->wrong) Warn(line);
  if (!report->wrong.empty()) return kExitBroken;
  std::error_code ignored;
  std::filesystem::remove_all(crash.folder, ignored);
  return kExitFine;
}

}  // namespace

void AddSelftest(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("selftest", kAbout);
  auto options = std::make_shared<SelftestOptions>();
  verb->add_option("--crash-cycles", options->cycles, "How often a server is killed under load")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}).description(""))
      ->type_name("N");
  verb->add_option("--seed", options->seed, "What the random moments are drawn from")
      ->type_name("N");
  verb->add_option("--folder", options->folder,
                   "Where the temporary folder is made: a disk of its own; default TMPDIR")
      ->type_name("DIR");
  AddForm(*verb, options->shared);
  verb->footer(kFooter);
  verb->callback([options, &action] { action = [options] { return Selftest(*options); }; });
}

}  // namespace tally::cli

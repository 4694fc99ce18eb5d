// Durable appends and look-ups through a server, beside a bare echo through the same adapter and a
// bare SQLite on the same disk: all in one run, round after round, because only ratios taken within
// a round count.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "tests/bench/bare_sqlite.h"
#include "tests/bench/load.h"
#include "tests/bench/report.h"
#include "tests/bench/server_process.h"
#include "tests/bench/workloads.h"

namespace tally::bench {
namespace {

constexpr char kFooter[] = R"(
Rows: per second counts events, look-ups or echoes; p50 and p99 are of one call, or of one commit of
the bare SQLite. CPU is per event, look-up or echo: "server us" of the whole server process (of this
process for the bare SQLite), "client us" of the callers. Durable means what the ledger means by it:
SQLite in WAL mode with synchronous=FULL, synced before the answer. Figures are medians over the
rounds; "of echo", "of log" and "of SQLite" are medians of the ratio within each round. "raw log" is the same
server over a file that is only appended to and synced: no ids checked, nothing to look up.)";

constexpr char kAim[] =
    "aim: one durable event a call with 64 callers at 0.40 of the echo or more; this run: ";

struct Options {
  double seconds = 3;
  int rounds = 3;
  std::string output = "table";
  std::string folder = ".";
  std::string only;
};

volatile std::sig_atomic_t g_is_interrupted = 0;

// The first signal ends the run after the row that is being measured, so that its folder is
// removed; the next one does what it does to any program.
void EndAtTheNextRow() {
  struct sigaction action = {};
  action.sa_handler = [](int) { g_is_interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// A folder of its own, gone at the end.
class Folder {
 public:
  explicit Folder(const std::string& in) : path_(absl::StrCat(in, "/tally-bench-XXXXXX")) {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Plan {
  Cell cell;
  std::function<absl::StatusOr<Figures>(absl::Duration warm_up, absl::Duration length)> run;
};

// What the cells work on.
struct Bench {
  std::unique_ptr<ServerProcess> server;
  std::unique_ptr<BareSqlite> sqlite;
  std::unique_ptr<ServerProcess> raw_log;
  std::unique_ptr<Load> load;
  std::unique_ptr<Load> raw_load;
  std::uint64_t next_settlement = 0;
  std::vector<std::uint64_t> told;
  std::string row;  // an event as bytes

  Plan Echo(std::size_t callers) {
    return {
        {absl::StrCat("echo, ", callers, callers == 1 ? " caller" : " callers"), "", "", "", {}},
        [this, callers](absl::Duration warm_up, absl::Duration length) {
          EchoLoad echo(row);
          return load->Run(echo, callers, warm_up, length);
        }};
  }
  Plan Sqlite(int group) {
    return {{absl::StrCat("bare SQLite, ", group, " a commit"), "", "", "", {}},
            [this, group](absl::Duration warm_up, absl::Duration length) {
              return sqlite->Run(row, group, warm_up, length);
            }};
  }
  Plan Append(std::size_t callers) {
    const std::string name = absl::StrCat(callers, callers == 1 ? " caller" : " callers");
    return {{absl::StrCat("append, ", name),
             absl::StrCat("echo, ", name),
             absl::StrCat("raw log, ", name),
             absl::StrCat("bare SQLite, ", callers, " a commit"),
             {}},
            [this, callers](absl::Duration warm_up, absl::Duration length) {
              RecordLoad record(1, next_settlement, told);
              return load->Run(record, callers, warm_up, length);
            }};
  }
  Plan AppendBatches(std::size_t callers, int events) {
    return {{absl::StrCat("append ", events, " a call, ", callers, " callers"),
             "",
             absl::StrCat("raw log ", events, " a call, ", callers, " callers"),
             absl::StrCat("bare SQLite, ", events, " a commit"),
             {}},
            [this, callers, events](absl::Duration warm_up, absl::Duration length) {
              RecordLoad record(events, next_settlement, told);
              return load->Run(record, callers, warm_up, length);
            }};
  }
  // Of settlements that nobody will look up.
  Plan RawLog(std::string name, std::size_t callers, int events) {
    return {{std::move(name), "", "", "", {}},
            [this, callers, events](absl::Duration warm_up, absl::Duration length) {
              std::vector<std::uint64_t> nobody;
              RecordLoad record(events, next_settlement, nobody);
              return raw_load->Run(record, callers, warm_up, length);
            }};
  }
  Plan RawLog(std::size_t callers) {
    return RawLog(absl::StrCat("raw log, ", callers, callers == 1 ? " caller" : " callers"),
                  callers, 1);
  }
  Plan RawLogBatches(std::size_t callers, int events) {
    return RawLog(absl::StrCat("raw log ", events, " a call, ", callers, " callers"), callers,
                  events);
  }
  Plan LookUp(std::size_t callers) {
    const std::string name = absl::StrCat(callers, callers == 1 ? " caller" : " callers");
    return {{absl::StrCat("look-up, ", name), absl::StrCat("echo, ", name), "", "", {}},
            [this, callers](absl::Duration warm_up, absl::Duration length) {
              LookUpLoad look_up(told);
              return load->Run(look_up, callers, warm_up, length);
            }};
  }
};

absl::StatusOr<std::vector<Cell>> Measure(const Options& options) {
  const Folder folder(options.folder);
  if (folder.path().empty()) return absl::NotFoundError("can't make a folder here");
  Bench bench;
  // First: it forks.
  TALLY_ASSIGN_OR_RETURN(bench.server,
                         ServerProcess::Start(Keeps::kSqlite, folder.path() + "/tally.db"));
  TALLY_ASSIGN_OR_RETURN(bench.raw_log,
                         ServerProcess::Start(Keeps::kRawLog, folder.path() + "/raw.log"));
  TALLY_ASSIGN_OR_RETURN(bench.sqlite, BareSqlite::Open(folder.path() + "/bare.db"));
  bench.load = std::make_unique<Load>(*bench.server);
  bench.raw_load = std::make_unique<Load>(*bench.raw_log);
  v1::Event event;
  Story().Next(&event);
  bench.row = event.SerializeAsString();

  std::vector<Plan> plans;
  for (const std::size_t callers : std::vector<std::size_t>{1, 16, 64}) {
    plans.push_back(bench.Echo(callers));
    plans.push_back(bench.RawLog(callers));
    plans.push_back(bench.Append(callers));
    plans.push_back(bench.Sqlite(static_cast<int>(callers)));
  }
  plans.push_back(bench.RawLogBatches(4, 100));
  plans.push_back(bench.AppendBatches(4, 100));
  plans.push_back(bench.Sqlite(100));
  for (const std::size_t callers : std::vector<std::size_t>{1, 16, 64}) {
    plans.push_back(bench.LookUp(callers));
  }
  std::erase_if(plans, [&](const Plan& plan) {
    return plan.cell.name.find(options.only) == std::string::npos;
  });
  const absl::Duration length = absl::Seconds(options.seconds / options.rounds);
  for (int round = 1; round <= options.rounds; ++round) {
    for (Plan& plan : plans) {
      std::fprintf(stderr, "round %d of %d: %s\n", round, options.rounds, plan.cell.name.c_str());
      TALLY_ASSIGN_OR_RETURN(const Figures figures, plan.run(length / 4, length));
      if (g_is_interrupted != 0) return absl::CancelledError("interrupted");
      plan.cell.rounds.push_back(figures);
    }
  }
  std::vector<Cell> cells;
  for (Plan& plan : plans) cells.push_back(std::move(plan.cell));
  return cells;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app("Measures a ledger's server beside what bounds it.", "tally-bench");
  app.footer(kFooter);
  app.add_option("--seconds", options.seconds, "Measured seconds a row, over all rounds")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Rounds over all rows")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--only", options.only, "Only rows with this in their name");
  app.add_option("--output", options.output, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->capture_default_str();
  app.add_option(
         "--folder", options.folder,
         "Where to make the databases, and remove them again: a folder on a real disk, which "
         "the system's temporary one often is not")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  EndAtTheNextRow();
  const absl::StatusOr<std::vector<Cell>> cells = Measure(options);
  if (!cells.ok()) {
    std::fprintf(stderr, "tally-bench: %s\n", std::string(cells.status().message()).c_str());
    return 4;
  }
  if (options.output == "json") {
    std::fputs(Json(*cells).c_str(), stdout);
    return 0;
  }
  std::fputs(Table(*cells).c_str(), stdout);
  if (!options.only.empty()) return 0;
  for (const Cell& cell : *cells) {
    if (cell.name != "append, 64 callers") continue;
    std::printf("\n%s%.2f\n", kAim, RatioTo(cell.beside_echo, cell, *cells));
  }
  return 0;
}

}  // namespace
}  // namespace tally::bench

int main(int argc, char** argv) { return tally::bench::Main(argc, argv); }

// `tally`: the command line of a ledger. Data goes to stdout, words to stderr.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "tools/tally/error_report.h"
#include "tools/tally/verbs.h"

namespace tally::cli {
namespace {

constexpr char kAbout[] =
    "A settlement ledger for x402 payments over MCP:\n"
    "did it run, was it paid, may I retry?";

constexpr char kFooter[] =
    "First steps:\n"
    "  export TALLY_DATABASE=first.db\n"
    "  tally ledger create shop --role seller\n"
    "  tally import --ledger shop recorded.seller.jsonl\n"
    "  tally list\n"
    "  tally show ID\n"
    "\n"
    "Every verb but `id` and `selftest` needs --server ADDR (or TALLY_SERVER) or --database FILE "
    "(or\n"
    "TALLY_DATABASE). `tally VERB --help` says more.\n"
    "\n"
    "Exit codes: 0 fine, 1 a finding, 2 usage, 3 could not tell, 4 refused or unreachable,\n"
    "5 evidence broken.\n";

constexpr std::size_t kVerbWidth = 10;  // no verb is longer

// In the list of verbs the first line of what each is for is enough.
class Formatter final : public CLI::Formatter {
 public:
  std::string make_subcommand(const CLI::App* verb) const override {
    const std::string about = verb->get_description();
    return absl::StrCat("  ", verb->get_name(),
                        std::string(kVerbWidth - verb->get_name().size(), ' '),
                        about.substr(0, about.find('\n')), "\n");
  }
  std::string make_description(const CLI::App* verb) const override {
    return CLI::Formatter::make_description(verb) + "\n";
  }
};

int Usage(const CLI::App& app, const CLI::ParseError& error) {
  std::string command = "tally";
  const CLI::App* verb = &app;
  while (!verb->get_subcommands().empty()) {
    verb = verb->get_subcommands().front();
    absl::StrAppend(&command, " ", verb->get_name());
  }
  const bool is_missing = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  const Reason reason = is_missing ? Reason::kFieldMissing : Reason::kFieldMalformed;
  return ReportError(Error(reason, error.what()), absl::StrCat("see `", command, " --help`"));
}

int Perform(const Action& action) {
  const absl::StatusOr<int> code = action();
  if (!code.ok()) return ReportError(code.status());
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return ReportError(Error(Reason::kInternal, absl::StrCat("stdout: saw ", std::strerror(errno),
                                                             ", wanted room for the answer")));
  }
  return *code;
}

int Main(int argc, char** argv) {
  CLI::App app(kAbout, "tally");
  app.formatter(std::make_shared<Formatter>());
  app.set_version_flag("--version", std::string("tally ") + TALLY_VERSION);
  app.footer(kFooter);
  Action action;
  AddLedgerVerbs(app, action);
  AddImport(app, action);
  AddList(app, action);
  AddShow(app, action);
  AddStats(app, action);
  AddWatch(app, action);
  AddEvents(app, action);
  AddId(app, action);
  AddRebuild(app, action);
  AddBackup(app, action);
  AddCheck(app, action);
  AddSelftest(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help or --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return Usage(app, error);
  }
  if (!action) {
    std::fputs(app.help().c_str(), stdout);
    return kExitFine;
  }
  return Perform(action);
}

}  // namespace
}  // namespace tally::cli

int main(int argc, char** argv) {
  try {
    return tally::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    return tally::cli::ReportError(tally::Error(tally::Reason::kInternal, error.what()));
  }
}

#include "server/config.h"

#include <CLI/CLI.hpp>
#include <map>

namespace tally::server {
namespace {

constexpr char kAbout[] =
    "The settlement ledger as a server: records what happened to x402 payments over MCP and "
    "answers whether a call ran, whether it was paid, and whether it may be tried again.";

constexpr char kFooter[] = R"(
Examples:
  tallyd --database tally.db
  tallyd --database tally.db --listen unix:/run/user/1000/tally.sock
  tallyd --database tally.db --listen 127.0.0.1:0      any free port; see the first line of stdout

When it is ready it writes one line to stdout, `tallyd listening on ADDRESS`; logs go to stderr.
There are no credentials yet, so only this machine may reach it: other addresses are refused.

SIGTERM or SIGINT ends it: calls in flight are answered first. A second signal ends it at once, as
a power failure would; nothing acknowledged is lost either way.

Exit codes: 0 ended by a signal, 2 usage, 4 the address or the database can't be had, 5 the stored
data is broken.)";

const std::map<std::string, Log::Level> kLevels = {{"debug", Log::Level::kDebug},
                                                   {"info", Log::Level::kInfo},
                                                   {"warning", Log::Level::kWarning},
                                                   {"error", Log::Level::kError}};
const std::map<std::string, Log::Format> kFormats = {{"text", Log::Format::kText},
                                                     {"json", Log::Format::kJson}};

}  // namespace

std::variant<Config, ExitCode> ParseCommandLine(int argc, char** argv) {
  Config config;
  config.listen = {"127.0.0.1:7402"};
  double drain_seconds = 10;
  std::string level = "info";
  std::string format = "text";

  CLI::App app(kAbout, "tallyd");
  app.footer(kFooter);
  app.set_version_flag("--version", "tallyd " TALLY_VERSION);
  app.add_option("--database", config.database, "SQLite file; made when it is not there")
      ->envname("TALLY_DATABASE")
      ->required()
      ->type_name("FILE");
  app.add_option("--listen", config.listen,
                 "Loopback HOST:PORT or unix:PATH; several with commas or repeated")
      ->envname("TALLY_LISTEN")
      ->delimiter(',')
      ->capture_default_str()
      ->type_name("ADDRESS");
  app.add_option("--drain-seconds", drain_seconds, "How long calls in flight may take at the end")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  app.add_option("--log-level", level, "debug, info, warning or error")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str()
      ->type_name("LEVEL");
  app.add_option("--log-format", format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->type_name("FORMAT");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitFine : kExitUsage;
  }
  config.drain_patience = absl::Seconds(drain_seconds);
  config.log_level = kLevels.at(level);
  config.log_format = kFormats.at(format);
  return config;
}

}  // namespace tally::server

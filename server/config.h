// What the command line and the environment say.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "server/log.h"

namespace tally::server {

struct Config {
  std::vector<std::string> listen;  // not looked at yet
  std::string database;
  absl::Duration drain_patience;
  Log::Level log_level = Log::Level::kInfo;
  Log::Format log_format = Log::Format::kText;
};

// As everywhere in Tallystick.
struct ExitCode {
  int value = 0;
};
inline constexpr ExitCode kExitFine{0};
inline constexpr ExitCode kExitUsage{2};
inline constexpr ExitCode kExitRefused{4};  // address or database can't be had
inline constexpr ExitCode kExitBroken{5};   // the stored data is broken

// An ExitCode when there is nothing more to do: help and version are written to stdout, what is
// wrong to stderr. A flag wins over TALLY_LISTEN and TALLY_DATABASE.
std::variant<Config, ExitCode> ParseCommandLine(int argc, char** argv);

}  // namespace tally::server

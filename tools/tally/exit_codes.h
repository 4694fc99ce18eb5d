// What the exit code of `tally` says. Scripts rely on it.
#pragma once

namespace tally::cli {

enum ExitCode : int {
  kExitFine = 0,
  kExitFinding = 1,       // something was found: a bad line, a payment without an id
  kExitUsage = 2,         // the command or a value in it is not what it has to be
  kExitCouldNotTell = 3,  // not recorded, or an alias with several hits
  kExitRefused = 4,       // the ledger refused, or can't be reached
  kExitBroken = 5,        // evidence is broken: a checksum, or projections that are not the events'
};

// In two words, as they stand in every help.
constexpr const char* MeaningOf(ExitCode code) {
  switch (code) {
    case kExitFine:
      return "fine";
    case kExitFinding:
      return "a finding";
    case kExitUsage:
      return "usage";
    case kExitCouldNotTell:
      return "could not tell";
    case kExitRefused:
      return "refused or unreachable";
    case kExitBroken:
      return "evidence broken";
  }
  return "";
}

}  // namespace tally::cli

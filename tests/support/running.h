// The built `tally` as a child process that goes on meanwhile.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/program.h"

namespace tally::support {

class RunningTally {
 public:
  explicit RunningTally(const std::vector<std::string>& arguments);
  // Kills what still runs.
  ~RunningTally();
  RunningTally(const RunningTally&) = delete;
  RunningTally& operator=(const RunningTally&) = delete;

  // Blocks until there is one, without its end; empty once it ended.
  std::string ReadLine();
  void Signal(int signal) const;
  // What it printed after the lines that were read, and how it ended.
  Ended AwaitEnd();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::string err_file_;
};

}  // namespace tally::support

// One line on stderr that says how far a long verb is: only on a terminal, and only once it is
// long.
#pragma once

#include <string>

#include "absl/time/time.h"

namespace tally::cli {

class Progress {
 public:
  Progress();
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows `line` in the place of the last one; now and then, however often it is called.
  void Show(const std::string& line);
  // Takes the line away, so that other words can follow.
  void Clear();

 private:
  const absl::Time start_;
  absl::Time last_;
  bool is_shown_ = false;
};

}  // namespace tally::cli

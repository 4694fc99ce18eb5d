// Another program, started by this one: its first lines, its end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tally::cli {

// To be used by one thread at a time.
class ChildProcess {
 public:
  // `arguments` without the program's name. stderr goes to the end of the file, or to ours when
  // none is named. INTERNAL when it can't be started.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::string& program, const std::vector<std::string>& arguments,
      const std::string& stderr_file);
  // Kills what still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Of its stdout, without the line's end; what there is when it ends before.
  std::string ReadLine() { return ReadOut(false); }
  std::string ReadRest() { return ReadOut(true); }
  pid_t pid() const { return pid_; }  // 0 once it ended
  void Signal(int signal) const;
  // Waits. The exit code, or 128 + the signal that ended it.
  int AwaitEnd();

 private:
  ChildProcess(pid_t pid, int out) : pid_(pid), out_(out) {}
  std::string ReadOut(bool is_all);

  pid_t pid_;  // 0: it ended
  const int out_;
  int code_ = 0;
};

}  // namespace tally::cli

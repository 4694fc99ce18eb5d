// The built tallyd as a child process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/tally/child_process.h"

namespace tally::server {

// A new, empty folder; it stays, with what the test left in it.
std::string NewFolder();

struct Ended {
  int code = 0;  // 128 + the signal when one ended it
  std::string out;
  std::string err;
};

// Runs tallyd with the arguments and waits for its end.
Ended RunTallyd(const std::vector<std::string>& arguments);

// A server that is ready; killed when this goes, if it still runs.
class Tallyd {
 public:
  // Listens on any free port unless `listen` says otherwise.
  explicit Tallyd(const std::string& database, const std::string& listen = "127.0.0.1:0");

  // As its first line says; empty when it did not become ready.
  const std::string& address() const { return address_; }
  pid_t pid() const { return process_->pid(); }
  void Signal(int signal) const { process_->Signal(signal); }
  // As Ended::code.
  int AwaitEnd() { return process_->AwaitEnd(); }

 private:
  const std::unique_ptr<cli::ChildProcess> process_;
  std::string address_;
};

}  // namespace tally::server

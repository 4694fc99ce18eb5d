// The built tallyd as a child process.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

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

// A server that is ready.
class Tallyd {
 public:
  // Listens on any free port unless `listen` says otherwise.
  explicit Tallyd(const std::string& database, const std::string& listen = "127.0.0.1:0");
  ~Tallyd();  // kills what still runs
  Tallyd(const Tallyd&) = delete;
  Tallyd& operator=(const Tallyd&) = delete;

  // As its first line says; empty when it did not become ready.
  const std::string& address() const { return address_; }
  void Signal(int signal) const;
  // As Ended::code.
  int AwaitEnd();

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace tally::server

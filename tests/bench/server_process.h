// The ledger's server in a process of its own, so that its CPU time is told from the callers'.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tally::bench {

inline constexpr char kLedger[] = "bench";
// Gives back what it is given, through the same adapter as the ledger's methods; of no API.
inline constexpr char kEchoPath[] = "/tallystick.bench.Echo/Echo";

// What keeps the events of a server.
enum class Keeps { kSqlite, kRawLog };

class ServerProcess {
 public:
  // Forks: to be called before this process has used gRPC or has started a thread.
  static absl::StatusOr<std::unique_ptr<ServerProcess>> Start(Keeps keeps, const std::string& file);
  // Ends the server.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& address() const { return address_; }
  // All that its threads have used, user and system.
  absl::Duration CpuTime() const;

 private:
  ServerProcess(pid_t pid, int stop, std::string address);

  const pid_t pid_;
  const int stop_;  // closed: the server ends
  const std::string address_;
};

// The same of this process.
absl::Duration OwnCpuTime();

}  // namespace tally::bench

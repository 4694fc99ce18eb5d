// The adapter between gRPC and the table of methods: one completion queue with one thread, that no
// method knows about.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/listen_address.h"
#include "server/rpc/method.h"

namespace tally::server::rpc {

class Server {
 public:
  struct Options {
    std::vector<ListenAddress> listen;
    // Over these a call is refused as OVERLOADED.
    std::size_t calls_max = 4096;
    std::size_t bytes_max = std::size_t{256} * 1024 * 1024;
    // For what may block.
    std::size_t executor_threads = 2;
    // Larger requests are refused by gRPC itself, without a reason. Above our own limits, so that
    // ours name the field.
    int request_bytes_max = 40 * 1024 * 1024;
    // Told of every refusal, on any thread; must not block. May be empty.
    std::function<void(const std::string& path, const absl::Status& status)> on_refused;
  };

  // Listens and serves. ADDRESS_REFUSED (metadata "address") when an address can't be had.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options,
                                                       std::vector<Method> methods);
  // Drains without end: whoever holds calls must answer them.
  ~Server();

  // As listened on, with the ports that were chosen where 0 was asked for.
  const std::vector<std::string>& addresses() const;

  // Takes no new calls and waits until those in flight are answered. False when some are not after
  // `patience`; their clients are told nothing.
  bool Drain(absl::Duration patience);

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::server::rpc

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
#include "server/rpc/executor.h"
#include "server/rpc/method.h"

namespace tally::server::rpc {

class Server {
 public:
  struct Options {
    std::vector<ListenAddress> listen;
    // Over these a call is refused as OVERLOADED. Streams are counted apart: each may hold one
    // message of some 256 KiB for a slow reader.
    std::size_t calls_max = 4096;
    std::size_t streams_max = 1024;
    std::size_t bytes_max = std::size_t{256} * 1024 * 1024;
    // Larger requests are refused by gRPC itself, without a reason. Above our own limits, so that
    // ours name the field.
    int request_bytes_max = 40 * 1024 * 1024;
    // Told of every refusal, on any thread; must not block. May be empty.
    std::function<void(const std::string& path, const absl::Status& status)> on_refused;
  };

  // Listens and serves. `executor` runs what may block, and must outlive the server.
  // ADDRESS_REFUSED (metadata "address") when an address can't be had.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const Options& options, Executor& executor,
                                                       std::vector<Method> methods);
  // Drains without end: whoever holds calls must answer them.
  ~Server();

  // As listened on, with the ports that were chosen where 0 was asked for.
  const std::vector<std::string>& addresses() const;

  // Takes no new calls and waits until those in flight are answered, and streams have said their
  // last word; a stream whose client does not read is cut off before `patience` is over. False when
  // some are left after it; their clients are told nothing.
  bool Drain(absl::Duration patience);

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::server::rpc

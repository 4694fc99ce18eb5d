// Callers of a server: each sends its next request when it has the answer to the last.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "google/protobuf/message_lite.h"
#include "tests/bench/figures.h"
#include "tests/bench/server_process.h"

namespace tally::bench {

// What the callers of a cell send. Used by one thread.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::string path() const = 0;
  // Valid until the next call of this function.
  virtual const google::protobuf::MessageLite& Next(std::size_t caller) = 0;
  // The caller's last request was answered well.
  virtual void OnAnswer(std::size_t /*caller*/) {}
  // Operations in one request.
  virtual double operations() const { return 1; }
};

class Load {
 public:
  explicit Load(const ServerProcess& server);
  ~Load();

  // All callers on one thread, so that they take little from the server beside them. The first
  // `warm_up` is not counted. The error of the first call that fails.
  absl::StatusOr<Figures> Run(Workload& workload, std::size_t callers, absl::Duration warm_up,
                              absl::Duration length);

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::bench

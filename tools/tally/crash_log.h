// Reads a ledger back after a crash and holds it against what was written and acknowledged.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tools/tally/crash_load.h"

namespace tally::client {
class Client;
}  // namespace tally::client

namespace tally::cli {

class CrashLog {
 public:
  explicit CrashLog(std::uint64_t seed) : seed_(seed) {}

  // Reads on to the end. Everything in it has to be what its writer wrote, whole batches in the
  // order of their writers, at positions without a gap. An error is what keeps it from reading.
  absl::Status ReadOn(client::Client& client);
  // Whether it holds what the writer was told, at the positions and under the execution ids it was
  // told, and at most one batch more. Both maps are of acknowledgements since the last call.
  void HoldAgainst(int writer, std::int64_t acknowledged,
                   const std::map<std::int64_t, std::int64_t>& positions,
                   const std::map<std::int64_t, std::string>& executions);

  std::int64_t events() const { return position_; }
  std::int64_t claims() const { return static_cast<std::int64_t>(executions_.size()); }
  // What is not as it has to be; at most 100.
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  void Take(const v1::RecordedEvent& recorded);
  void TakeClaim(const v1::RecordedEvent& recorded);
  void TakeOfBatch(const EventName& name, const v1::RecordedEvent& recorded);
  void EndBatch();
  void Complain(std::string what);

  const std::uint64_t seed_;
  std::int64_t position_ = 0;
  v1::RecordEventsRequest batch_;  // that is being read
  BatchName name_;
  int read_ = 0;                      // of its events
  std::map<int, std::int64_t> next_;  // batch of each writer
  std::map<BatchName, std::int64_t>
      firsts_;  // position of a batch's first event, since HoldAgainst()
  std::map<std::string, std::string> executions_;  // by settlement
  std::vector<std::string> wrong_;
};

}  // namespace tally::cli

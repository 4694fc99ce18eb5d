// What writes while servers are killed. Every batch is a function of the seed, its writer and its
// number, so that whoever reads an event back knows what it must be.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tallystick/v1/ledger_service.pb.h"

namespace tally::client {
class Client;
}  // namespace tally::client

namespace tally::cli {

namespace v1 = ::tallystick::v1;

inline constexpr char kCrashLedger[] = "selftest";

struct BatchName {
  int writer = 0;
  std::int64_t number = 0;
  friend auto operator<=>(const BatchName&, const BatchName&) = default;
};

// Several events over several settlements: runs, answers, promises, some of them long.
v1::RecordEventsRequest BatchOf(std::uint64_t seed, BatchName name);
// Of some batches: a claim on a settlement of its own.
std::optional<v1::ClaimExecutionRequest> ClaimOf(BatchName name);

struct EventName {
  BatchName batch;
  int index = 0;
};
// nullopt when it is no event of a batch.
std::optional<EventName> ParseEventId(absl::string_view event_id);

// One caller. Each batch, then its claim, is sent until it is acknowledged, and then the next.
class CrashWriter {
 public:
  CrashWriter(std::uint64_t seed, int number) : seed_(seed), number_(number) {}

  // Until the server is gone. An error is what a server must not answer. `on_batch` is told of
  // every batch that was acknowledged.
  absl::Status WriteUntilGone(const std::string& address, const std::function<void()>& on_batch);
  // Once the server is back: asks again for what got no answer.
  absl::Status AskAgain(client::Client& client);

  int number() const { return number_; }
  // Batches below this one were acknowledged.
  std::int64_t next() const { return next_; }
  // Of those since the last call: the position of each one's first event, by number.
  std::map<std::int64_t, std::int64_t> TakePositions() { return std::exchange(positions_, {}); }
  // The same of claims: execution ids.
  std::map<std::int64_t, std::string> TakeExecutions() { return std::exchange(executions_, {}); }
  // How often asking again was told that all was on file, and how often it was not.
  std::int64_t replayed() const { return replayed_; }
  std::int64_t asked_again() const { return asked_again_; }

 private:
  absl::Status Send(client::Client& client, bool* is_replayed);
  absl::Status SendBatch(client::Client& client, bool* is_replayed);
  absl::Status SendClaim(client::Client& client);

  const std::uint64_t seed_;
  const int number_;
  std::int64_t next_ = 0;
  std::map<std::int64_t, std::int64_t> positions_;
  std::map<std::int64_t, std::string> executions_;
  std::int64_t replayed_ = 0;
  std::int64_t asked_again_ = 0;
};

}  // namespace tally::cli

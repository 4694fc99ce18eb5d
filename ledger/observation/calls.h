// The correlation memory of one ledger: which calls and facilitator exchanges were seen, so that an
// answer finds its request. Bounded: what was not touched for longest is forgotten first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/observation/lru.h"
#include "ledger/observation/observation.h"
#include "ledger/settlement/event.h"
#include "ledger/x402/documents.h"

namespace tally::observation {

struct RememberedCall {
  CallId call;
  Resource resource;
  std::string arguments_sha256;
  // Where its payment is filed; nullopt when it carried none.
  std::optional<settlement::Subject> paid_under;
  bool is_tool_call = true;  // false: another method, whose answer is of no interest
  absl::Time time;
};

enum class ExchangeKind { kVerify, kSettle, kOther };
struct RememberedExchange {
  ExchangeKind kind = ExchangeKind::kOther;
  settlement::Subject subject;
  std::string facilitator;
  settlement::SettlementPhase phase = settlement::SettlementPhase::kUnknown;
  settlement::PaymentFlow flow = settlement::PaymentFlow::kAuthorization;
  std::optional<settlement::Terms> terms;
  std::string payload_digest;
};

struct GrantedExecution {
  settlement::Subject subject;
  Resource resource;
};

// What is on record of requests that the memory does not hold, as after a restart.
class Lookup {
 public:
  virtual ~Lookup() = default;
  // The paid call of that id, the latest that occurred at or before `time`.
  virtual absl::StatusOr<std::optional<RememberedCall>> FindPaidCall(const CallId& call,
                                                                     absl::Time time) = 0;
  // The settle request of that exchange; verify requests leave no record.
  virtual absl::StatusOr<std::optional<RememberedExchange>> FindExchange(
      absl::string_view session, absl::string_view exchange) = 0;
  // The settlement and the resource that an execution was granted for.
  virtual absl::StatusOr<std::optional<GrantedExecution>> FindExecution(
      absl::string_view execution_id) = 0;
};

// Not thread-safe.
class Calls {
 public:
  static constexpr std::size_t kEntriesMax = 65536;

  // `lookup` may be a null pointer, and must outlive this.
  explicit Calls(Lookup* lookup = nullptr, std::size_t entries_max = kEntriesMax);

  // `request_id` is that of the frame; `call` can be another one's, as for `tasks/result`.
  void RememberCall(Direction direction, absl::string_view request_id, RememberedCall call);
  absl::StatusOr<std::optional<RememberedCall>> FindCall(absl::string_view session,
                                                         Direction direction,
                                                         absl::string_view request_id,
                                                         absl::Time time);

  // What is known of the calls of a tool in a session at a time.
  struct ToolCalls {
    bool is_any_seen = false;
    std::optional<RememberedCall> latest_paid;
  };
  ToolCalls FindToolCalls(absl::string_view session, absl::string_view tool, absl::Time time);

  void RememberTask(absl::string_view session, absl::string_view task_id, RememberedCall call);
  std::optional<RememberedCall> FindTask(absl::string_view session, absl::string_view task_id);

  void RememberExchange(absl::string_view session, absl::string_view exchange,
                        RememberedExchange remembered);
  absl::StatusOr<std::optional<RememberedExchange>> FindExchange(absl::string_view session,
                                                                 absl::string_view exchange);

  // Never in memory: grants are made by the ledger and not observed.
  absl::StatusOr<std::optional<GrantedExecution>> FindExecution(absl::string_view execution_id);

  // The offers of the latest challenge for a resource in a session.
  void RememberOffers(absl::string_view session, const Resource& resource,
                      std::vector<x402::Requirements> offers);
  std::vector<x402::Requirements> FindOffers(absl::string_view session, const Resource& resource);

 private:
  Lookup* lookup_;
  Lru<RememberedCall> calls_;
  Lru<std::vector<RememberedCall>> tools_;  // by session and tool
  Lru<RememberedCall> tasks_;
  Lru<RememberedExchange> exchanges_;
  Lru<std::vector<x402::Requirements>> offers_;
};

}  // namespace tally::observation

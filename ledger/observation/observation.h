// What an attach point saw, raw, one thing at a time: the input of Read().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/time/time.h"
#include "ledger/settlement/event.h"

namespace tally::observation {

enum class Direction { kClientToServer, kServerToClient };
Direction Opposite(Direction direction);

struct McpFrame {
  std::string endpoint;  // as the ledger names it; empty when unknown
  Direction direction = Direction::kClientToServer;
  std::string message;  // JSON text of the frame
};

struct FacilitatorRequest {
  std::string exchange;  // names request and answer; unique in its session
  std::string method;
  std::string path;
  std::string body;  // JSON text
  std::string facilitator;
  settlement::SettlementPhase phase = settlement::SettlementPhase::kUnknown;
};

struct FacilitatorAnswer {
  std::string exchange;
  int status = 0;
  std::string body;             // as seen; not always JSON
  std::string transport_error;  // no answer came, and why
};

struct ExecutionMark {
  bool is_finished = false;
  std::string request_id;  // JSON text of the `tools/call` id
  std::string tool;
  std::optional<settlement::ExecutionOutcome> outcome;  // of a finished one
  std::string execution_id;
  bool is_tool_idempotent = false;
  std::optional<absl::Time> lease_until;
};

struct ClientReport {
  std::string tool;
  std::string report;      // JSON text
  std::string request_id;  // JSON text; empty: the latest paid call of the tool
};

struct ChainReport {
  settlement::ChainFact fact = settlement::ChainFact::kTransfer;
  settlement::Finality finality = settlement::Finality::kSeen;
  std::string network;
  std::int64_t block = 0;
  std::string block_hash;
  std::optional<absl::Time> block_time;
  std::string chain_tx;
  std::optional<std::int64_t> log_index;
  std::string asset;
  std::string from;
  std::string to;
  std::string value;
  std::string nonce;  // 0x and 64 hex digits: EIP-3009; a decimal: Permit2
};

// A task's status, or that a task-augmented call was decided before it ran. One of the two.
struct TaskMark {
  std::string request_id;  // JSON text of the call that began it; empty: found by its task id
  std::string task_id;
  std::string status;
  std::optional<settlement::PreflightOutcome> preflight;
};

struct ResolutionMark {
  std::string settlement_id;
  std::string payment;  // JSON text of the PaymentPayload, instead of the id
  settlement::Resolution resolution = settlement::Resolution::kVoid;
  std::string reason;
  std::int64_t closes_version = 0;  // 0: what is on file when it is filed
};

using Body = std::variant<McpFrame, FacilitatorRequest, FacilitatorAnswer, ExecutionMark,
                          ClientReport, ChainReport, TaskMark, ResolutionMark>;

struct Observation {
  std::string id;  // the same for every retry of the same observation
  absl::Time time;
  std::string session;  // may be empty for chain facts and resolutions
  settlement::Observes observes;
  settlement::SourceKind source = settlement::SourceKind::kApi;
  std::string recorder;
  Body body;
};

}  // namespace tally::observation

#include "ledger/observation/line_kinds.h"

#include <utility>

#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::observation {
namespace {

template <typename T>
using Word = std::pair<absl::string_view, T>;

absl::StatusOr<Body> ReadMcp(const LineFields& in) {
  static constexpr Word<Direction> kDirections[] = {
      {"client-to-server", Direction::kClientToServer},
      {"server-to-client", Direction::kServerToClient}};
  McpFrame out;
  TALLY_ASSIGN_OR_RETURN(out.endpoint, in.StringOrEmpty("endpoint"));
  TALLY_ASSIGN_OR_RETURN(out.direction, in.Choice("dir", kDirections));
  const json::Value* message = in.value().Find("message");
  if (message == nullptr || (message->object() == nullptr && message->array() == nullptr)) {
    return in.Refuse("message", "a JSON-RPC frame, or an array of them");
  }
  out.message = in.Raw("message");
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadRequest(const LineFields& in) {
  using settlement::SettlementPhase;
  static constexpr Word<SettlementPhase> kPhases[] = {
      {"before-handler", SettlementPhase::kBeforeHandler},
      {"after-handler", SettlementPhase::kAfterHandler},
      {"cancel", SettlementPhase::kCancel},
      {"unknown", SettlementPhase::kUnknown}};
  FacilitatorRequest out;
  TALLY_ASSIGN_OR_RETURN(out.exchange, in.String("exchange"));
  TALLY_ASSIGN_OR_RETURN(out.method, in.StringOrEmpty("method"));
  TALLY_ASSIGN_OR_RETURN(out.path, in.String("path"));
  TALLY_ASSIGN_OR_RETURN(out.facilitator, in.StringOrEmpty("facilitator"));
  if (in.Has("phase")) {
    TALLY_ASSIGN_OR_RETURN(out.phase, in.Choice("phase", kPhases));
  }
  out.body = in.RawOrText("body");
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadAnswer(const LineFields& in) {
  FacilitatorAnswer out;
  TALLY_ASSIGN_OR_RETURN(out.exchange, in.String("exchange"));
  TALLY_ASSIGN_OR_RETURN(out.transport_error, in.StringOrEmpty("error"));
  TALLY_ASSIGN_OR_RETURN(const std::optional<std::int64_t> status, in.Integer("status"));
  const bool is_answered = status.has_value() && *status >= 100 && *status <= 999;
  if (!is_answered && (status.has_value() || out.transport_error.empty())) {
    return in.Refuse("status", "an HTTP status, or `error` instead");
  }
  out.status = static_cast<int>(status.value_or(0));
  out.body = in.RawOrText("body");
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadExecution(const LineFields& in) {
  using settlement::ExecutionOutcome;
  static constexpr Word<bool> kEvents[] = {{"started", false}, {"finished", true}};
  static constexpr Word<ExecutionOutcome> kOutcomes[] = {
      {"succeeded", ExecutionOutcome::kSucceeded},
      {"tool_error", ExecutionOutcome::kToolError},
      {"crashed", ExecutionOutcome::kCrashed},
      {"aborted", ExecutionOutcome::kAborted}};
  ExecutionMark out;
  TALLY_ASSIGN_OR_RETURN(out.is_finished, in.Choice("event", kEvents));
  if (!in.Has("request_id")) return in.Refuse("request_id", "the JSON-RPC id of the call");
  out.request_id = in.Raw("request_id");
  TALLY_ASSIGN_OR_RETURN(out.tool, in.StringOrEmpty("tool"));
  if (out.is_finished) {
    TALLY_ASSIGN_OR_RETURN(out.outcome, in.Choice("outcome", kOutcomes));
  }
  TALLY_ASSIGN_OR_RETURN(out.execution_id, in.StringOrEmpty("execution_id"));
  TALLY_ASSIGN_OR_RETURN(out.is_tool_idempotent, in.BooleanOrFalse("idempotent"));
  TALLY_ASSIGN_OR_RETURN(out.lease_until, in.Time("lease_until"));
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadReport(const LineFields& in) {
  ClientReport out;
  TALLY_ASSIGN_OR_RETURN(out.tool, in.String("tool"));
  if (!in.Has("report")) return in.Refuse("report", "what the client returned, an object");
  out.report = in.Raw("report");
  out.request_id = in.Raw("request_id");
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadChain(const LineFields& in) {
  using settlement::ChainFact;
  using settlement::Finality;
  static constexpr Word<ChainFact> kFacts[] = {
      {"transfer", ChainFact::kTransfer},  {"used", ChainFact::kUsed},
      {"canceled", ChainFact::kCancelled}, {"cancelled", ChainFact::kCancelled},
      {"unused", ChainFact::kUnused},      {"retracted", ChainFact::kRetracted}};
  static constexpr Word<Finality> kFinalities[] = {
      {"seen", Finality::kSeen}, {"safe", Finality::kSafe}, {"finalised", Finality::kFinalised}};
  ChainReport out;
  TALLY_ASSIGN_OR_RETURN(out.fact, in.Choice("event", kFacts));
  TALLY_ASSIGN_OR_RETURN(out.finality, in.Choice("finality", kFinalities));
  TALLY_ASSIGN_OR_RETURN(const std::optional<std::int64_t> block, in.Integer("block"));
  out.block = block.value_or(0);
  TALLY_ASSIGN_OR_RETURN(out.log_index, in.Integer("log_index"));
  TALLY_ASSIGN_OR_RETURN(out.block_time, in.Time("block_time"));
  const std::pair<absl::string_view, std::string ChainReport::*> texts[] = {
      {"network", &ChainReport::network}, {"block_hash", &ChainReport::block_hash},
      {"tx", &ChainReport::chain_tx},     {"asset", &ChainReport::asset},
      {"from", &ChainReport::from},       {"to", &ChainReport::to},
      {"value", &ChainReport::value},     {"nonce", &ChainReport::nonce}};
  for (const auto& [field, member] : texts) {
    TALLY_ASSIGN_OR_RETURN(out.*member, in.StringOrEmpty(field));
  }
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadTask(const LineFields& in) {
  using settlement::PreflightOutcome;
  static constexpr Word<PreflightOutcome> kOutcomes[] = {
      {"payment_required", PreflightOutcome::kPaymentRequired},
      {"standby_rejected", PreflightOutcome::kStandbyRejected},
      {"other", PreflightOutcome::kOther}};
  TaskMark out;
  out.request_id = in.Raw("request_id");
  TALLY_ASSIGN_OR_RETURN(out.task_id, in.String("task_id"));
  TALLY_ASSIGN_OR_RETURN(out.status, in.StringOrEmpty("status"));
  if (in.Has("preflight")) {
    TALLY_ASSIGN_OR_RETURN(out.preflight, in.Choice("preflight", kOutcomes));
  } else if (out.status.empty()) {
    return in.Refuse("status", "the status of the task, or `preflight` instead");
  }
  return Body(std::move(out));
}

absl::StatusOr<Body> ReadResolution(const LineFields& in) {
  using settlement::Resolution;
  static constexpr Word<Resolution> kWords[] = {{"refunded", Resolution::kRefunded},
                                                {"written_off", Resolution::kWrittenOff},
                                                {"comped", Resolution::kComped},
                                                {"void", Resolution::kVoid}};
  ResolutionMark out;
  TALLY_ASSIGN_OR_RETURN(out.settlement_id, in.StringOrEmpty("settlement_id"));
  out.payment = in.Raw("payment");
  TALLY_ASSIGN_OR_RETURN(out.resolution, in.Choice("resolution", kWords));
  TALLY_ASSIGN_OR_RETURN(out.reason, in.String("reason"));
  TALLY_ASSIGN_OR_RETURN(const std::optional<std::int64_t> version, in.Integer("closes_version"));
  out.closes_version = version.value_or(0);
  return Body(std::move(out));
}

}  // namespace

absl::StatusOr<Body> ReadLineBody(absl::string_view kind, const LineFields& fields) {
  static constexpr Word<absl::StatusOr<Body> (*)(const LineFields&)> kKinds[] = {
      {"mcp", ReadMcp},
      {"facilitator-request", ReadRequest},
      {"facilitator-answer", ReadAnswer},
      {"execution", ReadExecution},
      {"client-report", ReadReport},
      {"chain", ReadChain},
      {"task", ReadTask},
      {"resolution", ReadResolution}};
  for (const auto& [name, read] : kKinds) {
    if (kind == name) return read(fields);
  }
  return FieldError("kind", kind,
                    "recorder, mcp, facilitator-request, facilitator-answer, execution, "
                    "client-report, chain, task or resolution");
}

settlement::Observes ObservesOfKind(const Body& body) {
  settlement::Observes out;
  out.mcp = std::holds_alternative<McpFrame>(body);
  out.facilitator = std::holds_alternative<FacilitatorRequest>(body) ||
                    std::holds_alternative<FacilitatorAnswer>(body);
  out.execution = std::holds_alternative<ExecutionMark>(body);
  out.client_report = std::holds_alternative<ClientReport>(body);
  out.chain = std::holds_alternative<ChainReport>(body);
  return out;
}

}  // namespace tally::observation

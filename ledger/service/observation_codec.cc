#include "ledger/service/observation_codec.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/service/checks.h"

namespace tally::service {
namespace {

template <typename Domain, typename Proto>
absl::Status ReadEnum(absl::string_view field, Proto value, Domain& out) {
  const std::optional<Domain> read = protocol::FromProto<Domain>(value);
  if (!read.has_value()) return UnspecifiedEnum(field, static_cast<int>(value));
  out = *read;
  return absl::OkStatus();
}

absl::Status Read(const v1::McpFrame& in, observation::McpFrame& out) {
  if (in.direction() != v1::DIRECTION_CLIENT_TO_SERVER &&
      in.direction() != v1::DIRECTION_SERVER_TO_CLIENT) {
    return UnspecifiedEnum("direction", in.direction());
  }
  out.direction = in.direction() == v1::DIRECTION_CLIENT_TO_SERVER
                      ? observation::Direction::kClientToServer
                      : observation::Direction::kServerToClient;
  out.endpoint = in.endpoint();
  out.message = in.message();
  return absl::OkStatus();
}

absl::Status Read(const v1::FacilitatorRequest& in, observation::FacilitatorRequest& out) {
  if (in.path().empty()) return MissingField("path", "the path of the request");
  out = {in.exchange(), in.method(), in.path(), in.body(), in.facilitator(), out.phase};
  if (in.phase() == v1::SETTLEMENT_PHASE_UNSPECIFIED) return absl::OkStatus();
  return ReadEnum("phase", in.phase(), out.phase);
}

absl::Status Read(const v1::FacilitatorAnswer& in, observation::FacilitatorAnswer& out) {
  out = {in.exchange(), in.http_status(), in.body(), in.transport_error()};
  if (out.status == 0 && out.transport_error.empty()) {
    return MissingField("http_status", "an HTTP status, or a transport_error");
  }
  return absl::OkStatus();
}

absl::Status Read(const v1::ExecutionMark& in, observation::ExecutionMark& out) {
  if (in.event() != v1::EXECUTION_MARK_KIND_STARTED &&
      in.event() != v1::EXECUTION_MARK_KIND_FINISHED) {
    return UnspecifiedEnum("event", in.event());
  }
  out.is_finished = in.event() == v1::EXECUTION_MARK_KIND_FINISHED;
  out.request_id = in.request_id();
  out.tool = in.tool();
  out.execution_id = in.execution_id();
  out.is_tool_idempotent = in.is_tool_idempotent();
  TALLY_ASSIGN_OR_RETURN(out.lease_until,
                         ReadTime("lease_until", in.has_lease_until(), in.lease_until()));
  if (!out.is_finished) return absl::OkStatus();
  return ReadEnum("outcome", in.outcome(), out.outcome.emplace());
}

absl::Status Read(const v1::ClientReport& in, observation::ClientReport& out) {
  out = {in.tool(), in.report(), in.request_id()};
  return absl::OkStatus();
}

absl::Status Read(const v1::ChainFact& in, observation::ChainReport& out) {
  TALLY_RETURN_IF_ERROR(ReadEnum("fact", in.fact(), out.fact));
  TALLY_RETURN_IF_ERROR(ReadEnum("finality", in.finality(), out.finality));
  TALLY_ASSIGN_OR_RETURN(out.block_time,
                         ReadTime("block_time", in.has_block_time(), in.block_time()));
  out.network = in.network();
  out.block = in.block();
  out.block_hash = in.block_hash();
  out.chain_tx = in.chain_tx();
  if (in.has_log_index()) out.log_index = in.log_index();
  out.asset = in.asset();
  out.from = in.from();
  out.to = in.to();
  out.value = in.value();
  out.nonce = in.nonce();
  return absl::OkStatus();
}

absl::Status Read(const v1::ResolutionMark& in, observation::ResolutionMark& out) {
  out.settlement_id = in.settlement_id();
  out.payment = in.payment_document();
  out.reason = in.reason();
  out.closes_version = in.closes_version();
  return ReadEnum("resolution", in.resolution(), out.resolution);
}

absl::Status Read(const v1::TaskStatus& in, observation::TaskMark& out) {
  out.request_id = in.request_id();
  out.task_id = in.task_id();
  out.status = in.status();
  if (in.preflight() == v1::PREFLIGHT_OUTCOME_UNSPECIFIED) return absl::OkStatus();
  return ReadEnum("preflight", in.preflight(), out.preflight.emplace());
}

template <typename Kind, typename Proto>
absl::Status ReadKind(const Proto& in, observation::Body& out) {
  return Read(in, out.emplace<Kind>());
}

absl::Status ReadBody(const v1::Observation& in, observation::Body& out) {
  switch (in.kind_case()) {
    case v1::Observation::kMcpFrame:
      return ReadKind<observation::McpFrame>(in.mcp_frame(), out);
    case v1::Observation::kFacilitatorRequest:
      return ReadKind<observation::FacilitatorRequest>(in.facilitator_request(), out);
    case v1::Observation::kFacilitatorAnswer:
      return ReadKind<observation::FacilitatorAnswer>(in.facilitator_answer(), out);
    case v1::Observation::kExecutionMark:
      return ReadKind<observation::ExecutionMark>(in.execution_mark(), out);
    case v1::Observation::kClientReport:
      return ReadKind<observation::ClientReport>(in.client_report(), out);
    case v1::Observation::kChainFact:
      return ReadKind<observation::ChainReport>(in.chain_fact(), out);
    case v1::Observation::kResolutionMark:
      return ReadKind<observation::ResolutionMark>(in.resolution_mark(), out);
    case v1::Observation::kTaskStatus:
      return ReadKind<observation::TaskMark>(in.task_status(), out);
    case v1::Observation::KIND_NOT_SET:
      break;
  }
  return MissingField("kind", "what was seen");
}

struct Writing {
  v1::Observation* out;

  void operator()(const observation::McpFrame& b) const {
    v1::McpFrame* to = out->mutable_mcp_frame();
    to->set_endpoint(b.endpoint);
    to->set_direction(b.direction == observation::Direction::kClientToServer
                          ? v1::DIRECTION_CLIENT_TO_SERVER
                          : v1::DIRECTION_SERVER_TO_CLIENT);
    to->set_message(b.message);
  }
  void operator()(const observation::FacilitatorRequest& b) const {
    v1::FacilitatorRequest* to = out->mutable_facilitator_request();
    to->set_exchange(b.exchange);
    to->set_method(b.method);
    to->set_path(b.path);
    to->set_body(b.body);
    to->set_facilitator(b.facilitator);
    to->set_phase(protocol::ToProto(b.phase));
  }
  void operator()(const observation::FacilitatorAnswer& b) const {
    v1::FacilitatorAnswer* to = out->mutable_facilitator_answer();
    to->set_exchange(b.exchange);
    to->set_http_status(b.status);
    to->set_body(b.body);
    to->set_transport_error(b.transport_error);
  }
  void operator()(const observation::ExecutionMark& b) const {
    v1::ExecutionMark* to = out->mutable_execution_mark();
    to->set_event(b.is_finished ? v1::EXECUTION_MARK_KIND_FINISHED
                                : v1::EXECUTION_MARK_KIND_STARTED);
    to->set_request_id(b.request_id);
    to->set_tool(b.tool);
    if (b.outcome.has_value()) to->set_outcome(protocol::ToProto(*b.outcome));
    to->set_execution_id(b.execution_id);
    to->set_is_tool_idempotent(b.is_tool_idempotent);
    if (b.lease_until.has_value()) protocol::ToProto(*b.lease_until, to->mutable_lease_until());
  }
  void operator()(const observation::ClientReport& b) const {
    v1::ClientReport* to = out->mutable_client_report();
    to->set_tool(b.tool);
    to->set_report(b.report);
    to->set_request_id(b.request_id);
  }
  void operator()(const observation::ChainReport& b) const {
    v1::ChainFact* to = out->mutable_chain_fact();
    to->set_network(b.network);
    to->set_block(b.block);
    to->set_block_hash(b.block_hash);
    if (b.block_time.has_value()) protocol::ToProto(*b.block_time, to->mutable_block_time());
    to->set_finality(protocol::ToProto(b.finality));
    to->set_fact(protocol::ToProto(b.fact));
    to->set_chain_tx(b.chain_tx);
    if (b.log_index.has_value()) to->set_log_index(*b.log_index);
    to->set_asset(b.asset);
    to->set_from(b.from);
    to->set_to(b.to);
    to->set_value(b.value);
    to->set_nonce(b.nonce);
  }
  void operator()(const observation::TaskMark& b) const {
    v1::TaskStatus* to = out->mutable_task_status();
    to->set_request_id(b.request_id);
    to->set_task_id(b.task_id);
    to->set_status(b.status);
    if (b.preflight.has_value()) to->set_preflight(protocol::ToProto(*b.preflight));
  }
  void operator()(const observation::ResolutionMark& b) const {
    v1::ResolutionMark* to = out->mutable_resolution_mark();
    // One of the two on the wire; the payment is what the id is derived from.
    if (b.payment.empty()) {
      to->set_settlement_id(b.settlement_id);
    } else {
      to->set_payment_document(b.payment);
    }
    to->set_resolution(protocol::ToProto(b.resolution));
    to->set_reason(b.reason);
    to->set_closes_version(b.closes_version);
  }
};

}  // namespace

absl::string_view KindFieldOf(const v1::Observation& in) {
  const auto* field = v1::Observation::descriptor()->FindFieldByNumber(in.kind_case());
  return field == nullptr ? absl::string_view()
                          : absl::string_view(field->name().data(), field->name().size());
}

absl::StatusOr<observation::Observation> FromProto(const v1::Observation& in) {
  observation::Observation out;
  out.id = in.observation_id();
  out.session = in.session();
  TALLY_ASSIGN_OR_RETURN(const std::optional<absl::Time> time,
                         ReadTime("observed_time", in.has_observed_time(), in.observed_time()));
  if (!time.has_value()) return MissingField("observed_time", "the observer's time");
  out.time = *time;
  out.observes = {in.observes().mcp(), in.observes().facilitator(), in.observes().execution(),
                  in.observes().client_report(), in.observes().chain()};
  const absl::Status status = ReadBody(in, out.body);
  if (status.ok()) return out;
  return in.kind_case() == v1::Observation::KIND_NOT_SET ? status
                                                         : InField(KindFieldOf(in), status);
}

void ToProto(const observation::Observation& in, v1::Observation* out) {
  out->set_observation_id(in.id);
  protocol::ToProto(in.time, out->mutable_observed_time());
  out->set_session(in.session);
  protocol::ToProto(in.observes, out->mutable_observes());
  std::visit(Writing{out}, in.body);
}

}  // namespace tally::service

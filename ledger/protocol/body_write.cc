#include <cstddef>
#include <type_traits>
#include <variant>

#include "ledger/protocol/body_codec.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_enums.h"

namespace tally::protocol {
namespace {

void Write(const settlement::ChallengeIssued& in, v1::ChallengeIssued* out) {
  ToProto(in.call, out->mutable_call());
  ToProto(in.resource, out->mutable_resource());
  Put(in.resource_url, out->mutable_resource_url());
  Put(in.arguments_sha256, out->mutable_arguments_sha256());
  Put(in.purchase_id, out->mutable_purchase_id());
  out->set_is_id_minted(in.is_id_minted);
  for (const settlement::Offer& offer : in.offers) ToProto(offer, out->add_offers());
  Put(in.error_text, out->mutable_error_text());
  out->set_x402_version(in.x402_version);
}

void Write(const settlement::PaymentPresented& in, v1::PaymentPresented* out) {
  ToProto(in.call, out->mutable_call());
  ToProto(in.resource, out->mutable_resource());
  Put(in.resource_url, out->mutable_resource_url());
  Put(in.arguments_sha256, out->mutable_arguments_sha256());
  if (in.terms) ToProto(*in.terms, out->mutable_terms());
  if (in.accepted) ToProto(*in.accepted, out->mutable_accepted());
  Put(in.challenge_id, out->mutable_challenge_id());
  Put(in.payment_identifier, out->mutable_payment_identifier());
  Put(in.unreadable_reason, out->mutable_unreadable_reason());
  PutAll(in.duplicate_keys, out->mutable_duplicate_keys());
  out->set_is_payment_in_arguments(in.is_payment_in_arguments);
}

void Write(const settlement::VerificationCompleted& in, v1::VerificationCompleted* out) {
  Put(in.session, out->mutable_session());
  Put(in.exchange, out->mutable_exchange());
  Put(in.facilitator, out->mutable_facilitator());
  Put(in.payload_digest, out->mutable_payload_digest());
  if (in.terms) ToProto(*in.terms, out->mutable_terms());
  out->set_outcome(ToProto(in.outcome));
  out->set_reason_class(ToProto(in.reason_class));
  Put(in.reason, out->mutable_reason());
  Put(in.payer, out->mutable_payer());
}

void Write(const settlement::PreflightResolved& in, v1::PreflightResolved* out) {
  ToProto(in.call, out->mutable_call());
  Put(in.task_id, out->mutable_task_id());
  out->set_outcome(ToProto(in.outcome));
}

void Write(const settlement::ExecutionClaimed& in, v1::ExecutionClaimed* out) {
  Put(in.execution_id, out->mutable_execution_id());
  out->set_fence(in.fence);
  Put(in.request_id, out->mutable_request_id());
  ToProto(in.resource, out->mutable_resource());
  Put(in.arguments_sha256, out->mutable_arguments_sha256());
  ToProto(in.lease_until, out->mutable_lease_until());
  out->set_is_tool_idempotent(in.is_tool_idempotent);
  Put(in.slot, out->mutable_slot());
}

void Write(const settlement::ExecutionStarted& in, v1::ExecutionStarted* out) {
  ToProto(in.call, out->mutable_call());
  Put(in.execution_id, out->mutable_execution_id());
  ToProto(in.resource, out->mutable_resource());
  if (in.lease_until) ToProto(*in.lease_until, out->mutable_lease_until());
}

void Write(const settlement::ExecutionFinished& in, v1::ExecutionFinished* out) {
  ToProto(in.call, out->mutable_call());
  Put(in.execution_id, out->mutable_execution_id());
  ToProto(in.resource, out->mutable_resource());
  out->set_outcome(ToProto(in.outcome));
  out->set_is_tool_idempotent(in.is_tool_idempotent);
}

void Write(const settlement::SettlementRequested& in, v1::SettlementRequested* out) {
  Put(in.session, out->mutable_session());
  Put(in.exchange, out->mutable_exchange());
  Put(in.facilitator, out->mutable_facilitator());
  out->set_phase(ToProto(in.phase));
  Put(in.payload_digest, out->mutable_payload_digest());
  if (in.terms) ToProto(*in.terms, out->mutable_terms());
  if (in.requirements) ToProto(*in.requirements, out->mutable_requirements());
}

void Write(const settlement::SettlementAnswered& in, v1::SettlementAnswered* out) {
  Put(in.session, out->mutable_session());
  Put(in.exchange, out->mutable_exchange());
  Put(in.facilitator, out->mutable_facilitator());
  out->set_phase(ToProto(in.phase));
  Put(in.payload_digest, out->mutable_payload_digest());
  if (in.terms) ToProto(*in.terms, out->mutable_terms());
  out->set_flow(ToProto(in.flow));
  ToProto(in.reading, out->mutable_reading());
  Put(in.transport_error, out->mutable_transport_error());
  out->set_http_status(in.http_status);
}

void Write(const settlement::PaymentReleased& in, v1::PaymentReleased* out) {
  Put(in.reason, out->mutable_reason());
}

void Write(const settlement::ChainObserved& in, v1::ChainObserved* out) {
  out->set_fact(ToProto(in.fact));
  out->set_finality(ToProto(in.finality));
  Put(in.network, out->mutable_network());
  Put(in.asset, out->mutable_asset());
  Put(in.from, out->mutable_from());
  Put(in.to, out->mutable_to());
  Put(in.value, out->mutable_value());
  Put(in.nonce, out->mutable_nonce());
  Put(in.slot, out->mutable_slot());
  Put(in.chain_tx, out->mutable_chain_tx());
  if (in.log_index) out->set_log_index(*in.log_index);
  out->set_block(in.block);
  Put(in.block_hash, out->mutable_block_hash());
  if (in.block_time) ToProto(*in.block_time, out->mutable_block_time());
}

void Write(const settlement::ResponseDelivered& in, v1::ResponseDelivered* out) {
  ToProto(in.call, out->mutable_call());
  ToProto(in.resource, out->mutable_resource());
  out->set_is_rpc_error(in.is_rpc_error);
  out->set_is_error(in.is_error);
  out->set_is_content_served(in.is_content_served);
  if (in.receipt) ToProto(*in.receipt, out->mutable_receipt());
  PutAll(in.payable_doors, out->mutable_payable_doors());
  out->set_doors_disagree(in.doors_disagree);
  Put(in.error_text, out->mutable_error_text());
  Put(in.task_id, out->mutable_task_id());
}

void Write(const settlement::PurchaseBooked& in, v1::PurchaseBooked* out) {
  ToProto(in.call, out->mutable_call());
  Put(in.tool, out->mutable_tool());
  if (in.is_error) out->set_is_error(*in.is_error);
  if (in.payment_made) out->set_payment_made(*in.payment_made);
  if (in.receipt) ToProto(*in.receipt, out->mutable_receipt());
}

void Write(const settlement::TaskStatusObserved& in, v1::TaskStatusObserved* out) {
  ToProto(in.call, out->mutable_call());
  Put(in.task_id, out->mutable_task_id());
  Put(in.status, out->mutable_status());
}

void Write(const settlement::RemedyRequested& in, v1::RemedyRequested* out) {
  out->set_remedy(ToProto(in.remedy));
  Put(in.reason, out->mutable_reason());
}

void Write(const settlement::SettlementResolved& in, v1::SettlementResolved* out) {
  out->set_resolution(ToProto(in.resolution));
  Put(in.reason, out->mutable_reason());
  out->set_closes_version(in.closes_version);
}

// Which member of the oneof a body is.
template <typename Body>
constexpr std::nullptr_t kMember = nullptr;
template <>
constexpr auto kMember<settlement::ChallengeIssued> = &v1::EventBody::mutable_challenge_issued;
template <>
constexpr auto kMember<settlement::PaymentPresented> = &v1::EventBody::mutable_payment_presented;
template <>
constexpr auto kMember<settlement::VerificationCompleted> =
    &v1::EventBody::mutable_verification_completed;
template <>
constexpr auto kMember<settlement::PreflightResolved> = &v1::EventBody::mutable_preflight_resolved;
template <>
constexpr auto kMember<settlement::ExecutionClaimed> = &v1::EventBody::mutable_execution_claimed;
template <>
constexpr auto kMember<settlement::ExecutionStarted> = &v1::EventBody::mutable_execution_started;
template <>
constexpr auto kMember<settlement::ExecutionFinished> = &v1::EventBody::mutable_execution_finished;
template <>
constexpr auto kMember<settlement::SettlementRequested> =
    &v1::EventBody::mutable_settlement_requested;
template <>
constexpr auto kMember<settlement::SettlementAnswered> =
    &v1::EventBody::mutable_settlement_answered;
template <>
constexpr auto kMember<settlement::PaymentReleased> = &v1::EventBody::mutable_payment_released;
template <>
constexpr auto kMember<settlement::ChainObserved> = &v1::EventBody::mutable_chain_observed;
template <>
constexpr auto kMember<settlement::ResponseDelivered> = &v1::EventBody::mutable_response_delivered;
template <>
constexpr auto kMember<settlement::PurchaseBooked> = &v1::EventBody::mutable_purchase_booked;
template <>
constexpr auto kMember<settlement::TaskStatusObserved> =
    &v1::EventBody::mutable_task_status_observed;
template <>
constexpr auto kMember<settlement::RemedyRequested> = &v1::EventBody::mutable_remedy_requested;
template <>
constexpr auto kMember<settlement::SettlementResolved> =
    &v1::EventBody::mutable_settlement_resolved;

}  // namespace

void ToProto(const settlement::Body& in, v1::EventBody* out) {
  std::visit(
      [out](const auto& body) { Write(body, (out->*kMember<std::decay_t<decltype(body)>>)()); },
      in);
}

}  // namespace tally::protocol

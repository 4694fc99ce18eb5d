#include "absl/strings/str_cat.h"
#include "ledger/protocol/body_codec.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_enums.h"

namespace tally::protocol {
// `static` and not in an unnamed namespace: FieldReader::In finds them by argument-dependent
// look-up.
static void Read(FieldReader& reader, const v1::ChallengeIssued& in,
                 settlement::ChallengeIssued& out) {
  reader.In("call", in.call(), out.call);
  reader.In("resource", in.resource(), out.resource);
  reader.Text("resource_url", in.resource_url(), out.resource_url);
  reader.Text("arguments_sha256", in.arguments_sha256(), out.arguments_sha256, DigestRule);
  reader.Text("purchase_id", in.purchase_id(), out.purchase_id, IdRule);
  out.is_id_minted = in.is_id_minted();
  reader.Each("offers", in.offers(), kOffersMax, out.offers);
  reader.Text("error_text", in.error_text(), out.error_text);
  out.x402_version = in.x402_version();
  if (reader.is_request() && out.x402_version < 1) {
    reader.Refuse("x402_version", absl::StrCat(out.x402_version), "1 or 2");
  }
}

static void Read(FieldReader& reader, const v1::PaymentPresented& in,
                 settlement::PaymentPresented& out) {
  reader.In("call", in.call(), out.call);
  reader.In("resource", in.resource(), out.resource);
  reader.Text("resource_url", in.resource_url(), out.resource_url);
  reader.Text("arguments_sha256", in.arguments_sha256(), out.arguments_sha256, DigestRule);
  reader.In("terms", in.has_terms(), in.terms(), out.terms);
  reader.In("accepted", in.has_accepted(), in.accepted(), out.accepted);
  reader.Text("challenge_id", in.challenge_id(), out.challenge_id, IdRule);
  reader.Text("payment_identifier", in.payment_identifier(), out.payment_identifier, IdRule);
  reader.Text("unreadable_reason", in.unreadable_reason(), out.unreadable_reason);
  ReadAll(reader, "duplicate_keys", in.duplicate_keys(), out.duplicate_keys);
  out.is_payment_in_arguments = in.is_payment_in_arguments();
}

static void Read(FieldReader& reader, const v1::VerificationCompleted& in,
                 settlement::VerificationCompleted& out) {
  reader.Text("session", in.session(), out.session, SessionRule);
  reader.Text("exchange", in.exchange(), out.exchange, IdRule);
  reader.Text("facilitator", in.facilitator(), out.facilitator);
  reader.Text("payload_digest", in.payload_digest(), out.payload_digest, DigestRule);
  reader.In("terms", in.has_terms(), in.terms(), out.terms);
  reader.Enum("outcome", in.outcome(), out.outcome);
  reader.Enum("reason_class", in.reason_class(), out.reason_class);
  reader.Text("reason", in.reason(), out.reason);
  reader.Text("payer", in.payer(), out.payer, IdRule);
}

static void Read(FieldReader& reader, const v1::PreflightResolved& in,
                 settlement::PreflightResolved& out) {
  reader.In("call", in.call(), out.call);
  reader.Text("task_id", in.task_id(), out.task_id, IdRule);
  reader.Enum("outcome", in.outcome(), out.outcome);
}

static void Read(FieldReader& reader, const v1::ExecutionClaimed& in,
                 settlement::ExecutionClaimed& out) {
  reader.Text("execution_id", in.execution_id(), out.execution_id, IdRule);
  out.fence = in.fence();
  reader.Text("request_id", in.request_id(), out.request_id, IdRule);
  reader.In("resource", in.resource(), out.resource);
  reader.Text("arguments_sha256", in.arguments_sha256(), out.arguments_sha256, DigestRule);
  reader.NeedTime("lease_until", in.has_lease_until(), in.lease_until(), out.lease_until);
  out.is_tool_idempotent = in.is_tool_idempotent();
  reader.Text("slot", in.slot(), out.slot);
}

static void Read(FieldReader& reader, const v1::ExecutionStarted& in,
                 settlement::ExecutionStarted& out) {
  reader.In("call", in.call(), out.call);
  reader.Text("execution_id", in.execution_id(), out.execution_id, IdRule);
  reader.In("resource", in.resource(), out.resource);
  reader.Time("lease_until", in.has_lease_until(), in.lease_until(), out.lease_until);
}

static void Read(FieldReader& reader, const v1::ExecutionFinished& in,
                 settlement::ExecutionFinished& out) {
  reader.In("call", in.call(), out.call);
  reader.Text("execution_id", in.execution_id(), out.execution_id, IdRule);
  reader.In("resource", in.resource(), out.resource);
  reader.Enum("outcome", in.outcome(), out.outcome);
  out.is_tool_idempotent = in.is_tool_idempotent();
}

static void Read(FieldReader& reader, const v1::SettlementRequested& in,
                 settlement::SettlementRequested& out) {
  reader.Text("session", in.session(), out.session, SessionRule);
  reader.Text("exchange", in.exchange(), out.exchange, IdRule);
  reader.Text("facilitator", in.facilitator(), out.facilitator);
  reader.Enum("phase", in.phase(), out.phase);
  reader.Text("payload_digest", in.payload_digest(), out.payload_digest, DigestRule);
  reader.In("terms", in.has_terms(), in.terms(), out.terms);
  reader.In("requirements", in.has_requirements(), in.requirements(), out.requirements);
}

static void Read(FieldReader& reader, const v1::SettlementAnswered& in,
                 settlement::SettlementAnswered& out) {
  reader.Text("session", in.session(), out.session, SessionRule);
  reader.Text("exchange", in.exchange(), out.exchange, IdRule);
  reader.Text("facilitator", in.facilitator(), out.facilitator);
  reader.Enum("phase", in.phase(), out.phase);
  reader.Text("payload_digest", in.payload_digest(), out.payload_digest, DigestRule);
  reader.In("terms", in.has_terms(), in.terms(), out.terms);
  reader.Enum("flow", in.flow(), out.flow);
  if (!in.has_reading()) reader.RefuseMissing("reading", "what the answer says");
  reader.In("reading", in.reading(), out.reading);
  reader.Text("transport_error", in.transport_error(), out.transport_error);
  out.http_status = in.http_status();
}

static void Read(FieldReader& reader, const v1::PaymentReleased& in,
                 settlement::PaymentReleased& out) {
  reader.Text("reason", in.reason(), out.reason);
}

static void Read(FieldReader& reader, const v1::ChainObserved& in, settlement::ChainObserved& out) {
  reader.Enum("fact", in.fact(), out.fact);
  reader.Enum("finality", in.finality(), out.finality);
  reader.Need("network", in.network(), out.network, NetworkRule);
  const TextRule account = AccountRule(in.network());
  const TextRule word = account == AddressRule ? Bytes32Rule : IdRule;
  reader.Text("asset", in.asset(), out.asset, account);
  reader.Text("from", in.from(), out.from, account);
  reader.Text("to", in.to(), out.to, account);
  reader.Text("value", in.value(), out.value, AmountRule);
  reader.Text("nonce", in.nonce(), out.nonce, IdRule);
  reader.Text("slot", in.slot(), out.slot);
  reader.Text("chain_tx", in.chain_tx(), out.chain_tx, word);
  if (in.has_log_index()) {
    reader.AtLeast("log_index", in.log_index(), 0, out.log_index.emplace());
  }
  reader.AtLeast("block", in.block(), 0, out.block);
  reader.Text("block_hash", in.block_hash(), out.block_hash, word);
  reader.Time("block_time", in.has_block_time(), in.block_time(), out.block_time);
}

static void Read(FieldReader& reader, const v1::ResponseDelivered& in,
                 settlement::ResponseDelivered& out) {
  reader.In("call", in.call(), out.call);
  reader.In("resource", in.resource(), out.resource);
  out.is_rpc_error = in.is_rpc_error();
  out.is_error = in.is_error();
  out.is_content_served = in.is_content_served();
  reader.In("receipt", in.has_receipt(), in.receipt(), out.receipt);
  ReadAll(reader, "payable_doors", in.payable_doors(), out.payable_doors);
  out.doors_disagree = in.doors_disagree();
  reader.Text("error_text", in.error_text(), out.error_text);
  reader.Text("task_id", in.task_id(), out.task_id, IdRule);
}

static void Read(FieldReader& reader, const v1::PurchaseBooked& in,
                 settlement::PurchaseBooked& out) {
  reader.In("call", in.call(), out.call);
  reader.Text("tool", in.tool(), out.tool, IdRule);
  if (in.has_is_error()) out.is_error = in.is_error();
  if (in.has_payment_made()) out.payment_made = in.payment_made();
  reader.In("receipt", in.has_receipt(), in.receipt(), out.receipt);
}

static void Read(FieldReader& reader, const v1::TaskStatusObserved& in,
                 settlement::TaskStatusObserved& out) {
  reader.In("call", in.call(), out.call);
  reader.Need("task_id", in.task_id(), out.task_id, IdRule);
  reader.Text("status", in.status(), out.status, IdRule);
}

static void Read(FieldReader& reader, const v1::RemedyRequested& in,
                 settlement::RemedyRequested& out) {
  reader.Enum("remedy", in.remedy(), out.remedy);
  reader.Text("reason", in.reason(), out.reason);
}

static void Read(FieldReader& reader, const v1::SettlementResolved& in,
                 settlement::SettlementResolved& out) {
  reader.Enum("resolution", in.resolution(), out.resolution);
  reader.Need("reason", in.reason(), out.reason);
  reader.AtLeast("closes_version", in.closes_version(), 1, out.closes_version);
}

namespace {

template <typename Domain, typename Proto>
void ReadBody(FieldReader& reader, absl::string_view field, const Proto& in,
              settlement::Body& out) {
  reader.In(field, in, out.emplace<Domain>());
}

}  // namespace

void Read(FieldReader& reader, const v1::EventBody& in, settlement::Body& out) {
  namespace s = settlement;
  using Case = v1::EventBody;
  switch (in.body_case()) {
    case Case::kChallengeIssued:
      return ReadBody<s::ChallengeIssued>(reader, "challenge_issued", in.challenge_issued(), out);
    case Case::kPaymentPresented:
      return ReadBody<s::PaymentPresented>(reader, "payment_presented", in.payment_presented(),
                                           out);
    case Case::kVerificationCompleted:
      return ReadBody<s::VerificationCompleted>(reader, "verification_completed",
                                                in.verification_completed(), out);
    case Case::kPreflightResolved:
      return ReadBody<s::PreflightResolved>(reader, "preflight_resolved", in.preflight_resolved(),
                                            out);
    case Case::kExecutionClaimed:
      return ReadBody<s::ExecutionClaimed>(reader, "execution_claimed", in.execution_claimed(),
                                           out);
    case Case::kExecutionStarted:
      return ReadBody<s::ExecutionStarted>(reader, "execution_started", in.execution_started(),
                                           out);
    case Case::kExecutionFinished:
      return ReadBody<s::ExecutionFinished>(reader, "execution_finished", in.execution_finished(),
                                            out);
    case Case::kSettlementRequested:
      return ReadBody<s::SettlementRequested>(reader, "settlement_requested",
                                              in.settlement_requested(), out);
    case Case::kSettlementAnswered:
      return ReadBody<s::SettlementAnswered>(reader, "settlement_answered",
                                             in.settlement_answered(), out);
    case Case::kPaymentReleased:
      return ReadBody<s::PaymentReleased>(reader, "payment_released", in.payment_released(), out);
    case Case::kChainObserved:
      return ReadBody<s::ChainObserved>(reader, "chain_observed", in.chain_observed(), out);
    case Case::kResponseDelivered:
      return ReadBody<s::ResponseDelivered>(reader, "response_delivered", in.response_delivered(),
                                            out);
    case Case::kPurchaseBooked:
      return ReadBody<s::PurchaseBooked>(reader, "purchase_booked", in.purchase_booked(), out);
    case Case::kTaskStatusObserved:
      return ReadBody<s::TaskStatusObserved>(reader, "task_status_observed",
                                             in.task_status_observed(), out);
    case Case::kRemedyRequested:
      return ReadBody<s::RemedyRequested>(reader, "remedy_requested", in.remedy_requested(), out);
    case Case::kSettlementResolved:
      return ReadBody<s::SettlementResolved>(reader, "settlement_resolved",
                                             in.settlement_resolved(), out);
    case Case::BODY_NOT_SET:
      return reader.RefuseMissing("", "what happened");
  }
}

}  // namespace tally::protocol

#include "ledger/protocol/common_codec.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/encoding.h"
#include "ledger/crypto/sha256.h"
#include "ledger/protocol/event_enums.h"

namespace tally::protocol {
namespace {

constexpr absl::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t ChainSeconds(absl::Time time) { return absl::ToUnixSeconds(time); }

absl::Time ChainTime(std::int64_t seconds) {
  return seconds == kNever ? absl::InfiniteFuture() : absl::FromUnixSeconds(seconds);
}

}  // namespace

void Put(absl::string_view text, std::string* out) {
  if (IsValidUtf8(text)) {
    out->assign(text.data(), text.size());
    return;
  }
  out->clear();
  while (!text.empty()) {
    const std::size_t size = Utf8CharacterBytes(text);
    absl::StrAppend(out, size == 0 ? kReplacement : text.substr(0, size));
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

void PutAll(const std::vector<std::string>& texts,
            google::protobuf::RepeatedPtrField<std::string>* out) {
  for (const std::string& text : texts) Put(text, out->Add());
}

TextRule AccountRule(absl::string_view network) {
  return absl::StartsWith(network, "eip155:") ? AddressRule : IdRule;
}

void ReadAll(FieldReader& reader, absl::string_view field,
             const google::protobuf::RepeatedPtrField<std::string>& in,
             std::vector<std::string>& out) {
  const auto size = static_cast<std::size_t>(in.size());
  if (reader.is_request() && size > kNamesMax) return reader.RefuseMore(field, size, kNamesMax);
  out.assign(in.begin(), in.end());
}

void ToProto(const CallId& in, v1::CallId* out) {
  Put(in.session, out->mutable_session());
  Put(in.request_id, out->mutable_request_id());
}
void Read(FieldReader& reader, const v1::CallId& in, CallId& out) {
  reader.Text("session", in.session(), out.session, SessionRule);
  reader.Text("request_id", in.request_id(), out.request_id, RequestIdRule);
}

void ToProto(const Resource& in, v1::Resource* out) {
  Put(in.endpoint, out->mutable_endpoint());
  Put(in.tool, out->mutable_tool());
}
void Read(FieldReader& reader, const v1::Resource& in, Resource& out) {
  reader.Text("endpoint", in.endpoint(), out.endpoint, EndpointRule);
  reader.Text("tool", in.tool(), out.tool, IdRule);
}

void ToProto(const settlement::Subject& in, v1::Subject* out) {
  switch (in.kind) {
    case settlement::SubjectKind::kSettlement:
      return Put(in.key, out->mutable_settlement_id());
    case settlement::SubjectKind::kChallenge:
      return Put(in.key, out->mutable_challenge_id());
    case settlement::SubjectKind::kSlot:
      return Put(in.key, out->mutable_slot());
    case settlement::SubjectKind::kCall: {
      // A session name holds no blank, a request id may.
      const std::size_t blank = in.key.find(' ');
      const absl::string_view key = in.key;
      Put(key.substr(0, blank), out->mutable_call()->mutable_session());
      if (blank == std::string::npos) return;
      Put(key.substr(blank + 1), out->mutable_call()->mutable_request_id());
    }
  }
}
void Read(FieldReader& reader, const v1::Subject& in, settlement::Subject& out) {
  using settlement::SubjectKind;
  switch (in.subject_case()) {
    case v1::Subject::kSettlementId:
      out.kind = SubjectKind::kSettlement;
      return reader.Need("settlement_id", in.settlement_id(), out.key, SettlementIdRule);
    case v1::Subject::kChallengeId:
      out.kind = SubjectKind::kChallenge;
      return reader.Need("challenge_id", in.challenge_id(), out.key, ChallengeIdRule);
    case v1::Subject::kSlot:
      out.kind = SubjectKind::kSlot;
      return reader.Need("slot", in.slot(), out.key);
    case v1::Subject::kCall: {
      CallId call;
      reader.In("call", in.call(), call);
      if (reader.is_request() && call.session.empty()) {
        reader.RefuseMissing("call.session", "the name of the connection");
      }
      if (reader.is_request() && call.request_id.empty()) {
        reader.RefuseMissing("call.request_id", "JSON text of a JSON-RPC id");
      }
      out = settlement::SubjectOf(call);
      return;
    }
    case v1::Subject::SUBJECT_NOT_SET:
      return reader.RefuseMissing("", "a settlement id, challenge id, call or slot");
  }
}

void ToProto(const settlement::Observes& in, v1::Observes* out) {
  out->set_mcp(in.mcp);
  out->set_facilitator(in.facilitator);
  out->set_execution(in.execution);
  out->set_client_report(in.client_report);
  out->set_chain(in.chain);
}
void Read(FieldReader& /*reader*/, const v1::Observes& in, settlement::Observes& out) {
  out = {.mcp = in.mcp(),
         .facilitator = in.facilitator(),
         .execution = in.execution(),
         .client_report = in.client_report(),
         .chain = in.chain()};
}

void ToProto(const settlement::RawDocument& in, v1::RawDocument* out) {
  out->set_content(in.bytes);
  Put(in.sha256, out->mutable_sha256());
  out->set_length(in.length);
}
void Read(FieldReader& reader, const v1::RawDocument& in, settlement::RawDocument& out) {
  out = {.bytes = in.content(), .sha256 = in.sha256(), .length = in.length()};
  if (!reader.is_request()) return;
  if (in.content().empty()) return reader.Need("sha256", in.sha256(), out.sha256, DigestRule);
  out.sha256 = crypto::Sha256Hex(in.content());
  out.length = in.content().size();
  if (!in.sha256().empty() && in.sha256() != out.sha256) {
    reader.Refuse("sha256", in.sha256(), absl::StrCat(out.sha256, ", the content's"));
  }
  if (in.length() != 0 && in.length() != out.length) {
    reader.Refuse("length", absl::StrCat(in.length()), absl::StrCat(out.length, ", the content's"));
  }
  if (out.length > settlement::kRawDocumentBytesMax) out.bytes.clear();
}

void ToProto(const settlement::Offer& in, v1::Offer* out) {
  Put(in.scheme, out->mutable_scheme());
  Put(in.network, out->mutable_network());
  Put(in.asset, out->mutable_asset());
  Put(in.pay_to, out->mutable_pay_to());
  Put(in.amount, out->mutable_amount());
  out->set_max_timeout_seconds(in.max_timeout_seconds);
  out->set_flow(ToProto(in.flow));
  Put(in.digest, out->mutable_digest());
}
void Read(FieldReader& reader, const v1::Offer& in, settlement::Offer& out) {
  reader.Text("scheme", in.scheme(), out.scheme, IdRule);
  reader.Text("network", in.network(), out.network, IdRule);
  reader.Text("asset", in.asset(), out.asset, IdRule);
  reader.Text("pay_to", in.pay_to(), out.pay_to, IdRule);
  reader.Text("amount", in.amount(), out.amount, AmountRule);
  reader.AtLeast("max_timeout_seconds", in.max_timeout_seconds(), 0, out.max_timeout_seconds);
  reader.Enum("flow", in.flow(), out.flow);
  reader.Text("digest", in.digest(), out.digest, DigestRule);
}

void ToProto(const settlement::Terms& in, v1::Terms* out) {
  Put(in.recipe, out->mutable_recipe());
  out->set_is_weak(in.is_weak);
  Put(in.slot, out->mutable_slot());
  Put(in.scheme, out->mutable_scheme());
  Put(in.network, out->mutable_network());
  Put(in.asset, out->mutable_asset());
  Put(in.payer, out->mutable_payer());
  Put(in.pay_to, out->mutable_pay_to());
  Put(in.amount, out->mutable_amount());
  if (in.valid_after) out->set_valid_after_seconds(ChainSeconds(*in.valid_after));
  if (in.valid_before) out->set_valid_before_seconds(ChainSeconds(*in.valid_before));
  Put(in.nonce, out->mutable_nonce());
  Put(in.payload_digest, out->mutable_payload_digest());
}
void Read(FieldReader& reader, const v1::Terms& in, settlement::Terms& out) {
  reader.Need("recipe", in.recipe(), out.recipe, IdRule);
  out.is_weak = in.is_weak();
  reader.Text("slot", in.slot(), out.slot);
  reader.Text("scheme", in.scheme(), out.scheme, IdRule);
  reader.Need("network", in.network(), out.network, NetworkRule);
  const TextRule account = AccountRule(in.network());
  reader.Text("asset", in.asset(), out.asset, account);
  reader.Text("payer", in.payer(), out.payer, account);
  reader.Text("pay_to", in.pay_to(), out.pay_to, account);
  reader.Text("amount", in.amount(), out.amount, AmountRule);
  if (in.has_valid_after_seconds()) out.valid_after = ChainTime(in.valid_after_seconds());
  if (in.has_valid_before_seconds()) out.valid_before = ChainTime(in.valid_before_seconds());
  reader.Text("nonce", in.nonce(), out.nonce, IdRule);
  reader.Text("payload_digest", in.payload_digest(), out.payload_digest, DigestRule);
}

void ToProto(const settlement::SettleReading& in, v1::SettleReading* out) {
  out->set_outcome(ToProto(in.outcome));
  out->set_reason_class(ToProto(in.reason_class));
  Put(in.reason, out->mutable_reason());
  Put(in.chain_tx, out->mutable_chain_tx());
  Put(in.network, out->mutable_network());
  Put(in.payer, out->mutable_payer());
  Put(in.amount, out->mutable_amount());
  PutAll(in.failed_checks, out->mutable_failed_checks());
}
void Read(FieldReader& reader, const v1::SettleReading& in, settlement::SettleReading& out) {
  reader.Enum("outcome", in.outcome(), out.outcome);
  reader.Enum("reason_class", in.reason_class(), out.reason_class);
  reader.Text("reason", in.reason(), out.reason);
  reader.Text("chain_tx", in.chain_tx(), out.chain_tx, IdRule);
  reader.Text("network", in.network(), out.network, IdRule);
  reader.Text("payer", in.payer(), out.payer, IdRule);
  reader.Text("amount", in.amount(), out.amount, AmountRule);
  ReadAll(reader, "failed_checks", in.failed_checks(), out.failed_checks);
}

}  // namespace tally::protocol

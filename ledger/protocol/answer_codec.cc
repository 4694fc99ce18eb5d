#include "ledger/protocol/answer_codec.h"

#include <optional>

#include "ledger/protocol/answer_enums.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/time_codec.h"

namespace tally::protocol {
namespace {

// `add` makes the field, so that an absent time leaves it absent.
template <typename Add>
void PutTime(const std::optional<absl::Time>& time, Add add) {
  if (time && *time != absl::InfiniteFuture() && *time != absl::InfinitePast()) {
    ToProto(*time, add());
  }
}

template <typename Domain, typename Proto>
void PutAxis(const settlement::Axis<Domain>& in, Proto* out) {
  out->set_value(ToProto(in.value));
  v1::Anchor* anchor = out->mutable_anchor();
  anchor->set_word(ToProto(in.anchor.word));
  anchor->set_position(in.anchor.position);
  PutTime(in.anchor.time, [anchor] { return anchor->mutable_time(); });
}

void PutAxes(const settlement::Axes& in, v1::Axes* out) {
  PutAxis(in.presentation, out->mutable_presentation());
  PutAxis(in.execution, out->mutable_execution());
  PutAxis(in.settlement, out->mutable_settlement());
  PutAxis(in.liveness, out->mutable_liveness());
  PutAxis(in.delivery, out->mutable_delivery());
}

void PutLookup(const settlement::ChainLookup& in, v1::ChainLookup* out) {
  Put(in.network, out->mutable_network());
  Put(in.contract, out->mutable_contract());
  Put(in.method, out->mutable_method());
  PutAll(in.arguments, out->mutable_arguments());
  if (in.bit.has_value()) out->set_bit(*in.bit);
  if (!in.logs.topics.empty()) {
    Put(in.logs.contract, out->mutable_logs()->mutable_contract());
    PutAll(in.logs.events, out->mutable_logs()->mutable_events());
    for (const std::vector<std::string>& topic : in.logs.topics) {
      PutAll(topic, out->mutable_logs()->add_topics()->mutable_any_of());
    }
  }
  PutTime(in.after, [out] { return out->mutable_after(); });
}

}  // namespace

void ToProto(const settlement::Answer& in, v1::Settlement* out) {
  out->set_label(ToProto(in.label));
  out->set_seller_advice(ToProto(in.seller_advice));
  out->set_buyer_advice(ToProto(in.buyer_advice));
  Put(in.reason, out->mutable_reason());
  out->set_may_pay_again(in.may_pay_again);
  out->set_may_call_again(in.may_call_again);
  PutTime(in.retry_after, [out] { return out->mutable_retry_after(); });
  PutTime(in.decidable_at, [out] { return out->mutable_decidable_at(); });
  PutTime(in.exposed_until, [out] { return out->mutable_exposed_until(); });
  if (in.chain_lookup) PutLookup(*in.chain_lookup, out->mutable_chain_lookup());
  for (const settlement::Anomaly anomaly : in.anomalies) out->add_anomalies(ToProto(anomaly));
  PutAxes(in.axes, out->mutable_axes());
  Put(in.settlement_id, out->mutable_settlement_id());
  Put(in.challenge_id, out->mutable_challenge_id());
  Put(in.purchase_id, out->mutable_purchase_id());
  ToProto(in.resource, out->mutable_resource());
  Put(in.scheme, out->mutable_scheme());
  Put(in.amount, out->mutable_amount());
  Put(in.asset, out->mutable_asset());
  Put(in.network, out->mutable_network());
  Put(in.payer, out->mutable_payer());
  Put(in.pay_to, out->mutable_pay_to());
  Put(in.chain_tx, out->mutable_chain_tx());
  out->set_version(in.version);
  PutTime(in.first_time, [out] { return out->mutable_first_time(); });
  PutTime(in.last_time, [out] { return out->mutable_last_time(); });
}

}  // namespace tally::protocol

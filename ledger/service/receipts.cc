#include "ledger/service/receipts.h"

#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/time_codec.h"

namespace tally::service {

Filed FiledOf(const settlement::Event& event) {
  return {event.event_id, event.subject, settlement::TypeNameOf(event.body)};
}

void ToProto(const Filed& filed, const store::Receipt& receipt, v1::Receipt* out) {
  out->set_event_id(filed.event_id);
  out->set_position(receipt.position);
  out->set_version(receipt.version);
  protocol::ToProto(receipt.recorded_time, out->mutable_recorded_time());
  out->set_is_replayed(receipt.is_replayed);
  protocol::ToProto(filed.subject, out->mutable_subject());
  out->set_event_type(filed.event_type.data(), filed.event_type.size());
}

}  // namespace tally::service

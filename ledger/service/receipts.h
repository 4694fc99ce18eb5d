// Internal to service: receipts on the wire.
#pragma once

#include <string>

#include "ledger/settlement/event.h"
#include "ledger/store/event_store.h"
#include "tallystick/v1/ledger_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// What a receipt says beside the store's own.
struct Filed {
  std::string event_id;
  settlement::Subject subject;
  absl::string_view event_type;
};
Filed FiledOf(const settlement::Event& event);

void ToProto(const Filed& filed, const store::Receipt& receipt, v1::Receipt* out);

}  // namespace tally::service

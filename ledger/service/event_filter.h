// Internal to service: which events a subscriber wants, told from the parts of a stored event.
#pragma once

#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "ledger/protocol/event_bytes.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

class EventFilter {
 public:
  // FIELD_MISSING, FIELD_MALFORMED or LIMIT_EXCEEDED.
  static absl::StatusOr<EventFilter> Read(const v1::SubscribeEventsRequest& request);

  bool Wants(const protocol::EventParts& event) const;

 private:
  // Empty: any.
  std::set<settlement::Subject> subjects_;
  std::set<int> body_kinds_;
};

}  // namespace tally::service

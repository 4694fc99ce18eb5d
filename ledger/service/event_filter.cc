#include "ledger/service/event_filter.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/service/checks.h"

namespace tally::service {

absl::StatusOr<EventFilter> EventFilter::Read(const v1::SubscribeEventsRequest& request) {
  constexpr std::size_t kSubjectsMax = 1000;
  const auto count = static_cast<std::size_t>(request.subjects_size());
  if (count > kSubjectsMax) return OverLimit("subjects", count, kSubjectsMax, "subjects");
  EventFilter filter;
  protocol::FieldReader reader(protocol::Origin::kRequest);
  std::vector<settlement::Subject> subjects;
  reader.Each("subjects", request.subjects(), kSubjectsMax, subjects);
  TALLY_RETURN_IF_ERROR(reader.status());
  filter.subjects_.insert(subjects.begin(), subjects.end());
  for (int i = 0; i < request.event_types_size(); ++i) {
    const std::string& type = request.event_types(i);
    const int kind = protocol::BodyKindOf(type);
    if (kind == 0) {
      return FieldError(absl::StrCat("event_types[", i, "]"), type,
                        "the type of an event, such as PaymentPresented");
    }
    filter.body_kinds_.insert(kind);
  }
  return filter;
}

bool EventFilter::Wants(const protocol::EventParts& event) const {
  if (!body_kinds_.empty() && body_kinds_.count(event.body_kind) == 0) return false;
  return subjects_.empty() ||
         subjects_.count({event.subject_kind, std::string(event.subject_key)}) != 0;
}

}  // namespace tally::service

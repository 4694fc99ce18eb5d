#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/protocol/event_codec.h"
#include "ledger/service/checks.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/settlement_service.h"

namespace tally::service {

absl::StatusOr<v1::ReadEventsResponse> SettlementService::ReadEvents(
    const v1::ReadEventsRequest& request) {
  TALLY_ASSIGN_OR_RETURN(const std::size_t page_size, ReadPageSize(request.page_size()));
  if (request.after_position() < 0) {
    return FieldError("after_position", absl::StrCat(request.after_position()),
                      "a position, or 0 for the start");
  }
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<store::Reader> reader,
                         OpenReader(store_, request.ledger()));
  // Read in small steps: a page of large events ends long before its size.
  constexpr std::size_t kStep = 100;
  v1::ReadEventsResponse response;
  std::int64_t after = request.after_position();
  std::size_t bytes = 0;
  std::size_t left = page_size;
  while (left > 0) {
    const std::size_t step = std::min(left, kStep);
    TALLY_ASSIGN_OR_RETURN(const std::vector<settlement::RecordedEvent> events,
                           reader->ReadEvents(after, step));
    for (const settlement::RecordedEvent& event : events) {
      v1::RecordedEvent out;
      protocol::ToProto(event, &out);
      bytes += out.ByteSizeLong() + 8;
      if (bytes > kResponseBytesMax && response.events_size() > 0) {
        response.set_next_after_position(after);
        return response;
      }
      *response.add_events() = std::move(out);
      after = event.position;
    }
    if (events.size() < step) break;
    left -= step;
  }
  response.set_next_after_position(after);
  return response;
}

}  // namespace tally::service

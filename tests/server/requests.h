// Small valid requests.
#pragma once

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/client/client.h"

namespace tally::server {

namespace v1 = ::tallystick::v1;

inline constexpr absl::Duration kPatience = absl::Seconds(30);
inline constexpr char kShop[] = "shop";

inline std::string SettlementId(std::uint64_t number) {
  return absl::StrFormat("sha256:%064x", number);
}

inline absl::StatusOr<v1::CreateLedgerResponse> CreateShop(client::Client& client) {
  v1::CreateLedgerRequest request;
  request.set_name(kShop);
  request.set_role(v1::LEDGER_ROLE_SELLER);
  return client.CreateLedger(request, kPatience);
}

// One event of the settlement, the same for the same arguments.
inline v1::RecordEventsRequest OneEvent(const std::string& event_id, std::uint64_t settlement) {
  v1::RecordEventsRequest request;
  request.set_ledger(kShop);
  v1::Event* event = request.add_events();
  event->set_event_id(event_id);
  event->mutable_subject()->set_settlement_id(SettlementId(settlement));
  event->mutable_occurred_time()->set_seconds(1'700'000'000);
  event->set_source(v1::SOURCE_KIND_API);
  event->mutable_body()->mutable_payment_released()->set_reason("a promise");
  return request;
}

inline v1::ClaimExecutionRequest ClaimOf(std::uint64_t settlement, const std::string& request_id) {
  v1::ClaimExecutionRequest request;
  request.set_ledger(kShop);
  request.set_settlement_id(SettlementId(settlement));
  request.mutable_resource()->set_endpoint("https://example.com/mcp");
  request.mutable_resource()->set_tool("weather");
  request.set_arguments_sha256(std::string(64, 'a'));
  request.set_request_id(request_id);
  return request;
}

// All of the shop, by position.
inline std::vector<v1::RecordedEvent> AllEvents(client::Client& client) {
  std::vector<v1::RecordedEvent> events;
  v1::ReadEventsRequest request;
  request.set_ledger(kShop);
  request.set_page_size(1000);
  while (true) {
    const auto page = client.ReadEvents(request, kPatience);
    if (!page.ok() || page->events().empty()) return events;
    events.insert(events.end(), page->events().begin(), page->events().end());
    request.set_after_position(page->next_after_position());
  }
}

}  // namespace tally::server

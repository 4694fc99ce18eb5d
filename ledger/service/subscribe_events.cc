// A position is all that a subscription knows of where it stands. Wherever its events come from,
// memory or disk, they are those after it: so there is no seam at which one could be lost or sent
// twice.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/service/event_filter.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/live.h"
#include "ledger/service/settlement_streams.h"

namespace tally::service {
namespace {

// Of which nothing is sent before a message says how far the filter got.
constexpr std::int64_t kSilentPositionsMax = 4096;
// Stretches that one pull looks at before others get their turn.
constexpr int kStretchesMax = 4;
// Of a stretch that is read from the disk.
constexpr std::size_t kEventsReadMax = 4096;

class Subscription final : public Outgoing {
 public:
  Subscription(store::EventStore& store, std::string ledger, EventFilter filter, std::int64_t after,
               std::size_t message_bytes_max, std::unique_ptr<Live::Follower> follower)
      : store_(store),
        ledger_(std::move(ledger)),
        filter_(std::move(filter)),
        message_bytes_max_(message_bytes_max),
        follower_(std::move(follower)),
        position_(after),
        said_position_(after) {}

  Pulled Pull() override {
    if (is_over_) return End{absl::OkStatus()};
    if (is_draining_) {
      is_over_ = true;
      return Message(v1::SUBSCRIPTION_MARKER_DRAINING);
    }
    events_.clear();
    for (int i = 0; i < kStretchesMax; ++i) {
      std::optional<Pulled> pulled = Advance();
      if (pulled.has_value()) return *std::move(pulled);
    }
    return Message(v1::SUBSCRIPTION_MARKER_UNSPECIFIED);
  }

  void Drain() override { is_draining_ = true; }

 private:
  // Goes on by one stretch; nullopt when nothing came of it that is worth a message.
  std::optional<Pulled> Advance() {
    const store::Tail::Stretch recent = follower_->After(position_, message_bytes_max_);
    if (!recent.is_known) return AdvanceOnDisk();
    if (recent.parts.empty()) return Rest();
    bool is_all = recent.is_all;
    for (const auto& part : recent.parts) {
      absl::StatusOr<bool> is_through = Add(part->events);
      if (!is_through.ok()) return End{is_through.status()};
      if (*is_through) continue;
      is_all = false;
      break;
    }
    if (is_all && !is_caught_up_) return CaughtUp();
    return IfWorthwhile();
  }

  std::optional<Pulled> AdvanceOnDisk() {
    absl::StatusOr<std::vector<store::StoredEvent>> stored =
        store_.ReadStored(ledger_, {position_, kEventsReadMax, message_bytes_max_});
    if (!stored.ok()) return End{stored.status()};
    if (stored->empty()) return Rest();
    if (is_caught_up_) {
      is_caught_up_ = false;
      return Message(v1::SUBSCRIPTION_MARKER_FELL_BEHIND);
    }
    const absl::StatusOr<bool> is_through = Add(*stored);
    if (!is_through.ok()) return End{is_through.status()};
    return IfWorthwhile();
  }

  // All that there is was considered.
  std::optional<Pulled> Rest() {
    if (!is_caught_up_) return CaughtUp();
    if (follower_->Sleep(position_, nullptr)) return Pause();
    return std::nullopt;
  }

  Pulled CaughtUp() {
    is_caught_up_ = true;
    return Message(v1::SUBSCRIPTION_MARKER_CAUGHT_UP);
  }

  std::optional<Pulled> IfWorthwhile() {
    if (events_.empty() && position_ - said_position_ < kSilentPositionsMax) return std::nullopt;
    return Message(v1::SUBSCRIPTION_MARKER_UNSPECIFIED);
  }

  // Whether all fitted into the message.
  absl::StatusOr<bool> Add(const std::vector<store::StoredEvent>& stored) {
    if (stored.size() > 1) events_.reserve(message_bytes_max_ * 5 / 4);
    for (const store::StoredEvent& event : stored) {
      if (event.position <= position_) continue;
      if (events_.size() >= message_bytes_max_) return false;
      TALLY_ASSIGN_OR_RETURN(const protocol::EventParts parts, protocol::FindParts(event.envelope));
      if (filter_.Wants(parts)) {
        protocol::AppendRecordedEvent(v1::SubscribeEventsResponse::kEventsFieldNumber, parts,
                                      {event.position, event.version, event.recorded_time},
                                      &events_);
      }
      position_ = event.position;
    }
    return true;
  }

  // What is added to the bytes of a message is a field more.
  Pulled Message(v1::SubscriptionMarker marker) {
    v1::SubscribeEventsResponse rest;
    rest.set_through_position(position_);
    rest.set_marker(marker);
    rest.AppendToString(&events_);
    said_position_ = position_;
    return std::exchange(events_, {});
  }

  store::EventStore& store_;
  const std::string ledger_;
  const EventFilter filter_;
  const std::size_t message_bytes_max_;
  const std::unique_ptr<Live::Follower> follower_;
  std::int64_t position_;       // considered
  std::int64_t said_position_;  // the client knows of
  std::string events_;          // of the next message, on the wire
  bool is_caught_up_ = false;
  bool is_draining_ = false;
  bool is_over_ = false;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Outgoing>> SettlementStreams::SubscribeEvents(
    const v1::SubscribeEventsRequest& request, Wake wake) {
  TALLY_ASSIGN_OR_RETURN(EventFilter filter, EventFilter::Read(request));
  TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, FindLedger(store_, request.ledger()));
  const std::int64_t after = request.after_position();
  if (after < 0 || after > ledger.last_position) {
    return FieldError("after_position", absl::StrCat(after),
                      absl::StrCat("0 to ", ledger.last_position, ", the ledger's last position"));
  }
  // Before anything is read, so that nothing falls between.
  std::unique_ptr<Live::Follower> follower = live_->Follow(ledger.name, std::move(wake));
  return std::make_unique<Subscription>(store_, ledger.name, std::move(filter), after,
                                        options_.message_bytes_max, std::move(follower));
}

}  // namespace tally::service

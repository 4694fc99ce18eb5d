// Use cases that ask once and are answered until there is nothing more to say. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "ledger/base/clock.h"
#include "ledger/service/stream.h"
#include "ledger/store/event_store.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

class Live;

// Errors are those named at the RPCs: what is wrong with the request comes at once, what goes wrong
// later as the end of the stream. Both use cases may block on reads of the store.
class SettlementStreams {
 public:
  struct Options {
    // Of recent events in memory, over all ledgers that are followed.
    std::size_t tail_bytes_max = std::size_t{32} * 1024 * 1024;
    // Of the events of one message; a single event is sent whatever it weighs.
    std::size_t message_bytes_max = std::size_t{256} * 1024;
  };

  // All must outlive this; this must outlive its streams.
  SettlementStreams(store::EventStore& store, const Clock& clock, Run run, const Options& options);
  SettlementStreams(store::EventStore& store, const Clock& clock, Run run);
  ~SettlementStreams();

  // Messages are v1.SubscribeEventsResponse.
  absl::StatusOr<std::unique_ptr<Outgoing>> SubscribeEvents(
      const v1::SubscribeEventsRequest& request, Wake wake);
  // Messages are v1.WatchSettlementResponse.
  absl::StatusOr<std::unique_ptr<Outgoing>> WatchSettlement(
      const v1::WatchSettlementRequest& request, Wake wake);

 private:
  store::EventStore& store_;
  const Clock& clock_;
  const Options options_;
  const std::unique_ptr<Live> live_;
};

}  // namespace tally::service

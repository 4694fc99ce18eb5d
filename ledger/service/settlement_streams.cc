#include "ledger/service/settlement_streams.h"

#include <utility>

#include "ledger/service/live.h"

namespace tally::service {

SettlementStreams::SettlementStreams(store::EventStore& store, const Clock& clock, Run run,
                                     const Options& options)
    : store_(store),
      clock_(clock),
      options_(options),
      live_(std::make_unique<Live>(store, std::move(run), options.tail_bytes_max)) {}

SettlementStreams::SettlementStreams(store::EventStore& store, const Clock& clock, Run run)
    : SettlementStreams(store, clock, std::move(run), Options()) {}

SettlementStreams::~SettlementStreams() = default;

}  // namespace tally::service

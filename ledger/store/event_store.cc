#include "ledger/store/event_store.h"

#include <future>
#include <memory>
#include <utility>

namespace tally::store {
namespace {

using Receipts = absl::StatusOr<std::vector<Receipt>>;

template <typename Start>
Receipts WaitFor(Start start) {
  // Shared: the writer may still be inside set_value() when the waiter has what it wants.
  auto promise = std::make_shared<std::promise<Receipts>>();
  std::future<Receipts> future = promise->get_future();
  start([promise](Receipts receipts) { promise->set_value(std::move(receipts)); });
  return future.get();
}

}  // namespace

Receipts AppendAndWait(EventStore& store, absl::string_view ledger,
                       std::vector<settlement::Event> events) {
  return WaitFor([&](Done done) { store.Append(ledger, std::move(events), std::move(done)); });
}

Receipts DecideAndWait(EventStore& store, absl::string_view ledger, Decider decider) {
  return WaitFor([&](Done done) { store.Decide(ledger, std::move(decider), std::move(done)); });
}

}  // namespace tally::store

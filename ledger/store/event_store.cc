#include "ledger/store/event_store.h"

#include <future>
#include <memory>
#include <utility>

#include "ledger/base/status_macros.h"

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

absl::StatusOr<std::vector<settlement::RecordedEvent>> EventStore::History(
    absl::string_view ledger, const settlement::Subject& subject) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, OpenReader(ledger));
  return reader->History(subject);
}

absl::StatusOr<std::vector<settlement::Subject>> EventStore::Find(absl::string_view ledger,
                                                                  const settlement::Alias& alias,
                                                                  std::size_t limit) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, OpenReader(ledger));
  return reader->Find(alias, limit);
}

absl::StatusOr<std::vector<settlement::RecordedEvent>> EventStore::ReadEvents(
    absl::string_view ledger, std::int64_t after, std::size_t limit) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, OpenReader(ledger));
  return reader->ReadEvents(after, limit);
}

absl::StatusOr<std::vector<StoredEvent>> EventStore::ReadStored(absl::string_view ledger,
                                                                const LogRange& range) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, OpenReader(ledger));
  return reader->ReadStored(range);
}

absl::StatusOr<std::vector<Summary>> EventStore::List(absl::string_view ledger,
                                                      const ListQuery& query) {
  TALLY_ASSIGN_OR_RETURN(const std::unique_ptr<Reader> reader, OpenReader(ledger));
  return reader->List(query);
}

Receipts AppendAndWait(EventStore& store, absl::string_view ledger,
                       std::vector<settlement::Event> events) {
  return WaitFor([&](Done done) { store.Append(ledger, std::move(events), std::move(done)); });
}

Receipts DecideAndWait(EventStore& store, absl::string_view ledger, Decider decider) {
  return WaitFor([&](Done done) { store.Decide(ledger, std::move(decider), std::move(done)); });
}

}  // namespace tally::store

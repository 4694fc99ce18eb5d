// The contract of EventStore in memory, for tests and for reading a file of events once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ledger/base/clock.h"
#include "ledger/base/mutex.h"
#include "ledger/store/event_store.h"

namespace tally::store {

// Writes run on the caller's thread, one after the other, and so does `done`.
class MemoryEventStore final : public EventStore {
 public:
  // `clock` must outlive the store.
  explicit MemoryEventStore(const Clock& clock);
  ~MemoryEventStore() override;

  absl::StatusOr<Ledger> CreateLedger(const Ledger& ledger, bool* is_created) override;
  absl::StatusOr<Ledger> GetLedger(absl::string_view name) override;
  absl::StatusOr<std::vector<Ledger>> ListLedgers() override;
  void Append(absl::string_view ledger, std::vector<settlement::Event> events, Done done) override;
  void Decide(absl::string_view ledger, Decider decider, Done done) override;
  // Its reads are each of the moment they are made in.
  absl::StatusOr<std::unique_ptr<Reader>> OpenReader(absl::string_view ledger) override;
  std::unique_ptr<Listening> Listen(Listener listener) override;
  absl::StatusOr<RebuildReport> Rebuild(bool replace) override;
  // There is no file: DATABASE_UNUSABLE.
  absl::Status Backup(absl::string_view path) override;
  absl::Status Health() override;

 private:
  class Book;
  class BookReader;
  absl::StatusOr<Book*> Open(absl::string_view name) TALLY_REQUIRES(mutex_);

  const Clock& clock_;
  Feed feed_;
  Mutex mutex_;
  std::map<std::string, std::unique_ptr<Book>, std::less<>> books_ TALLY_GUARDED_BY(mutex_);
};

}  // namespace tally::store

// The floor under a store: events go to the end of one file, synced before they are acknowledged,
// and that is all. No ids are checked, nothing is projected, nothing can be looked up. The same
// server over it shows what everything above the disk costs, and what the ledger pays for being
// one.
#pragma once

#include <condition_variable>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ledger/base/mutex.h"
#include "ledger/store/event_store.h"

namespace tally::bench {

// Appends only: everything that reads or decides is refused, and nobody is told. Thread-safe.
class RawLogStore final : public store::EventStore {
 public:
  static absl::StatusOr<std::unique_ptr<RawLogStore>> Open(const std::string& file);
  ~RawLogStore() override;

  void Append(absl::string_view ledger, std::vector<settlement::Event> events,
              store::Done done) override;

  absl::StatusOr<store::Ledger> CreateLedger(const store::Ledger& ledger,
                                             bool* is_created) override;
  absl::StatusOr<store::Ledger> GetLedger(absl::string_view name) override;
  absl::StatusOr<std::vector<store::Ledger>> ListLedgers() override;
  void Decide(absl::string_view ledger, store::Decider decider, store::Done done) override;
  absl::StatusOr<std::unique_ptr<store::Reader>> OpenReader(absl::string_view ledger) override;
  std::unique_ptr<store::Listening> Listen(store::Listener listener) override;
  absl::StatusOr<store::RebuildReport> Rebuild(bool replace) override;
  absl::Status Backup(absl::string_view path) override;
  absl::Status Health() override;

 private:
  struct Job {
    std::vector<std::string> envelopes;
    store::Done done;
  };

  explicit RawLogStore(int file);
  void Run();
  bool Write(const std::vector<Job>& group);

  const int file_;
  store::Ledger ledger_;
  std::int64_t position_ = 0;  // of the writer's thread
  Mutex mutex_;
  std::condition_variable changed_;
  bool is_closing_ TALLY_GUARDED_BY(mutex_) = false;
  std::vector<Job> queue_ TALLY_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace tally::bench

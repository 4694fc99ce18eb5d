// The default store: one SQLite file, one writing process, any number of reading ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ledger/base/clock.h"
#include "ledger/store/event_store.h"

namespace SQLite {
class Database;
}  // namespace SQLite

namespace tally::store {

class SqliteEventStore final : public EventStore {
 public:
  enum class Mode {
    kReadWrite,  // takes the lock, creates and migrates the file
    kReadOnly,   // beside a writer or without one; every write fails with DATABASE_HELD naming the
                 // writer, or with DATABASE_UNUSABLE where there is none
  };
  struct Options {
    std::string path;
    Mode mode = Mode::kReadWrite;
    std::string address;  // where this process can be reached; told to whom the lock keeps out
    std::size_t queue_jobs_max = 8192;
    std::size_t queue_bytes_max = 64 * 1024 * 1024;
    std::size_t readers_max = 8;
    // Pages of the log before the writer checkpoints: more stalls it longer, fewer more often.
    std::size_t checkpoint_pages = 4096;
    std::string vfs;  // SQLite's name of what stands for the disk; empty: the system's own
    // Tests: runs on the writer's connection before its first use.
    std::function<void(SQLite::Database&)> writer_hook;
  };

  // `clock` must outlive the store. DATABASE_HELD (metadata pid, address), DATABASE_UNUSABLE,
  // SCHEMA_NEWER, DATA_LOSS, DATABASE_FULL; each names the file.
  static absl::StatusOr<std::unique_ptr<SqliteEventStore>> Open(const Options& options,
                                                                const Clock& clock);
  // Commits what is queued, then lets go of the lock.
  ~SqliteEventStore() override;

  // Where this process can be reached, once it knows: told to whom the lock keeps out.
  absl::Status Announce(const std::string& address);

  absl::StatusOr<Ledger> CreateLedger(const Ledger& ledger, bool* is_created) override;
  absl::StatusOr<Ledger> GetLedger(absl::string_view name) override;
  absl::StatusOr<std::vector<Ledger>> ListLedgers() override;
  void Append(absl::string_view ledger, std::vector<settlement::Event> events, Done done) override;
  void Decide(absl::string_view ledger, Decider decider, Done done) override;
  absl::StatusOr<std::unique_ptr<Reader>> OpenReader(absl::string_view ledger) override;
  // Of this process: what another one writes is not told.
  std::unique_ptr<Listening> Listen(Listener listener) override;
  absl::StatusOr<RebuildReport> Rebuild(bool replace) override;
  absl::Status Backup(absl::string_view path) override;
  absl::Status Health() override;

 private:
  struct Parts;
  static absl::Status OpenParts(const Options& options, const Clock& clock, Parts& parts);
  explicit SqliteEventStore(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::store

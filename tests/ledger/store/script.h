// A short story of a ledger, written step by step, that tests of faults run: what happens to it is
// known, whichever step was the last that reached the disk.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ledger/store/sqlite/sqlite_event_store.h"
#include "tests/ledger/store/stores.h"
#include "tests/support/fake_clock.h"
#include "tests/support/faulty_disk.h"

namespace tally::store {

inline constexpr char kBook[] = "book";

// A database on a disk in memory; what SQLite is not asked for (the lock) lies in a folder.
class ScriptedStore {
 public:
  // Checkpoints come after so many pages of the log; by default between the steps.
  explicit ScriptedStore(std::size_t checkpoint_pages = 30) : checkpoint_pages_(checkpoint_pages) {}

  // Of all steps, the first makes the ledger. The others append batches of several events over
  // several settlements, or claim an execution.
  static std::size_t step_count();

  absl::StatusOr<std::unique_ptr<SqliteEventStore>> Open(
      const support::FaultyDisk& disk,
      SqliteEventStore::Mode mode = SqliteEventStore::Mode::kReadWrite);
  std::string path() const { return folder_.File("ledger.db"); }

  // Does step `number`. Again changes nothing. `acknowledged` is called at the very moment when a
  // batch or a claim is.
  static absl::Status Run(EventStore& store, std::size_t number,
                          std::function<void()> acknowledged = {});

  // Everything on file in order: position, version and bytes of each event, one a line of text.
  // Empty while the ledger is not there.
  static absl::StatusOr<std::vector<std::string>> Log(EventStore& store);

 private:
  const std::size_t checkpoint_pages_;
  TemporaryFolder folder_;
  support::FakeClock clock_;
};

// What the store holds after each number of steps, from a run that nothing went wrong in.
class Reference {
 public:
  Reference();

  // After `steps` steps.
  std::vector<std::string> LogAfter(std::size_t steps) const;
  // How many steps leave exactly this log; nullopt when none does. Of several the most.
  std::optional<std::size_t> StepsOf(const std::vector<std::string>& log) const;

 private:
  std::vector<std::vector<std::string>> logs_;
};

}  // namespace tally::store

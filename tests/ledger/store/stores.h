// What the contract suite runs against, and folders that go away.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "ledger/store/memory/memory_event_store.h"
#include "ledger/store/sqlite/sqlite_event_store.h"

namespace tally::store {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "store-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct MemoryKind {
  static std::unique_ptr<EventStore> Open(const TemporaryFolder& /*folder*/, const Clock& clock) {
    return std::make_unique<MemoryEventStore>(clock);
  }
};

struct SqliteKind {
  static std::unique_ptr<EventStore> Open(const TemporaryFolder& folder, const Clock& clock) {
    SqliteEventStore::Options options;
    options.path = folder.File("ledger.db");
    auto store = SqliteEventStore::Open(options, clock);
    if (!store.ok()) std::abort();
    return *std::move(store);
  }
};

}  // namespace tally::store

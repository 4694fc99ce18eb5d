#include "ledger/store/sqlite/reader_pool.h"

namespace tally::store::sqlite {

absl::StatusOr<std::unique_ptr<Connection>> ReaderPool::Take() {
  {
    MutexLock lock(mutex_);
    lock.Await(returned_, [this] { return !idle_.empty() || opened_ < connections_max_; });
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
    ++opened_;
  }
  absl::StatusOr<std::unique_ptr<Connection>> opened = Connection::Open(path_, Access::kRead, vfs_);
  if (!opened.ok()) {
    {
      const MutexLock lock(mutex_);
      --opened_;
    }
    returned_.notify_one();
  }
  return opened;
}

void ReaderPool::GiveBack(std::unique_ptr<Connection> connection) {
  {
    const MutexLock lock(mutex_);
    if (connection == nullptr) {
      --opened_;
    } else {
      idle_.push_back(std::move(connection));
    }
  }
  returned_.notify_one();
}

}  // namespace tally::store::sqlite

// Internal to rpc: counts calls in flight and what they weigh, and says when there are none.
#pragma once

#include <condition_variable>
#include <cstddef>

#include "absl/time/time.h"
#include "ledger/base/mutex.h"

namespace tally::server::rpc {

// Thread-safe.
class Desk {
 public:
  Desk(std::size_t calls_max, std::size_t bytes_max)
      : calls_max_(calls_max), bytes_max_(bytes_max) {}

  // Counts a call, taken or not; false when it is one too many or too heavy beside the others.
  bool Enter(std::size_t bytes) {
    const MutexLock lock(mutex_);
    ++calls_;
    bytes_ += bytes;
    // A single call always fits, whatever it weighs: its size has a limit of its own.
    return calls_ <= calls_max_ && (bytes_ <= bytes_max_ || calls_ == 1);
  }
  void Leave(std::size_t bytes) {
    {
      const MutexLock lock(mutex_);
      bytes_ -= bytes;
      if (--calls_ > 0) return;
    }
    changed_.notify_all();
  }
  // False when some are still in flight after `patience`.
  bool AwaitNone(absl::Duration patience) {
    MutexLock lock(mutex_);
    return lock.AwaitFor(changed_, absl::ToChronoMicroseconds(patience),
                         [this]() TALLY_REQUIRES(mutex_) { return calls_ == 0; });
  }

 private:
  const std::size_t calls_max_;
  const std::size_t bytes_max_;
  Mutex mutex_;
  std::condition_variable changed_;
  std::size_t calls_ TALLY_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ TALLY_GUARDED_BY(mutex_) = 0;
};

}  // namespace tally::server::rpc

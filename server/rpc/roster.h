// Internal to rpc: the open streams, so that their number has a bound and the end can be told to
// each.
#pragma once

#include <condition_variable>
#include <list>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "ledger/base/error.h"
#include "ledger/base/mutex.h"

namespace tally::server::rpc {

class Stream;

// Thread-safe.
class Roster {
 public:
  explicit Roster(std::size_t streams_max) : streams_max_(streams_max) {}

  // A stream's place; it is gone when all of the stream is.
  class Seat {
   public:
    Seat(Roster& roster, std::weak_ptr<Stream> stream) : roster_(roster) {
      const MutexLock lock(roster_.mutex_);
      at_ = roster_.streams_.insert(roster_.streams_.end(), std::move(stream));
    }
    ~Seat() {
      {
        const MutexLock lock(roster_.mutex_);
        roster_.streams_.erase(at_);
        if (!roster_.streams_.empty()) return;
      }
      roster_.changed_.notify_all();
    }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

   private:
    Roster& roster_;
    std::list<std::weak_ptr<Stream>>::iterator at_;
  };

  // Whether whoever is seated may stay: OVERLOADED, or STORE_STOPPED once draining began.
  absl::Status Admit() {
    const MutexLock lock(mutex_);
    if (is_draining_) return Error(Reason::kStoreStopped, "the server is shutting down");
    if (streams_.size() <= streams_max_) return absl::OkStatus();
    return Error(Reason::kOverloaded, "too many streams at once; try again a little later");
  }
  // Who sat down before.
  std::list<std::weak_ptr<Stream>> StartDraining() {
    const MutexLock lock(mutex_);
    is_draining_ = true;
    return streams_;
  }
  // False when some are still there after `patience`.
  bool AwaitNone(absl::Duration patience) {
    MutexLock lock(mutex_);
    return lock.AwaitFor(changed_, absl::ToChronoMicroseconds(patience),
                         [this]() TALLY_REQUIRES(mutex_) { return streams_.empty(); });
  }

 private:
  const std::size_t streams_max_;
  Mutex mutex_;
  std::condition_variable changed_;
  std::list<std::weak_ptr<Stream>> streams_ TALLY_GUARDED_BY(mutex_);
  bool is_draining_ TALLY_GUARDED_BY(mutex_) = false;
};

}  // namespace tally::server::rpc

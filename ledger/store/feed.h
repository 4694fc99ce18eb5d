// What a store appended, told as soon as it is on disk.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "ledger/base/mutex.h"

namespace tally::store {

// An event as a store keeps it.
struct StoredEvent {
  std::int64_t position = 0;
  std::int64_t version = 0;
  absl::Time recorded_time;
  std::string envelope;  // ledger/protocol/envelope_codec.h
};

// To one ledger by one commit: by position, without a gap, at least one.
struct Appended {
  std::string ledger;
  std::vector<StoredEvent> events;
};

// Runs on the thread that writes, after the commit and before what was written is acknowledged.
// Must be quick, must not block, and must not call the store.
using Listener = std::function<void(const std::shared_ptr<const Appended>& appended)>;

// A listener's place. When it goes, a call that is under way is waited for, and no other follows.
class Listening {
 public:
  Listening() = default;
  virtual ~Listening() = default;
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
};

// Those who listen to a store. Thread-safe.
class Feed {
 public:
  // May outlive the feed.
  std::unique_ptr<Listening> Add(Listener listener);
  // To be called by one thread at a time, in the order of the commits.
  void Tell(const std::shared_ptr<const Appended>& appended);

 private:
  struct Listeners {
    Mutex mutex;  // held while listeners are called
    std::list<Listener> all TALLY_GUARDED_BY(mutex);
  };
  class Place;

  const std::shared_ptr<Listeners> listeners_ = std::make_shared<Listeners>();
};

}  // namespace tally::store

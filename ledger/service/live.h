// Internal to service: who follows a ledger, fed from memory with what the store appends, and woken
// when there is more.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ledger/base/mutex.h"
#include "ledger/service/interest.h"
#include "ledger/service/stream.h"
#include "ledger/store/event_store.h"
#include "ledger/store/tail.h"

namespace tally::service {

// Thread-safe. The store's writer only files what it tells; followers are found and woken by `run`.
class Live {
 public:
  class Follower;

  // `store` and `run` must outlive this.
  Live(store::EventStore& store, Run run, std::size_t tail_bytes_max);
  // Waits for a task that is under way. No follower may be left.
  ~Live();

  // From now on nothing that is appended to the ledger escapes the follower; what was appended
  // before is in the store.
  std::unique_ptr<Follower> Follow(const std::string& ledger, Wake wake);

 private:
  struct Channel {
    int followers = 0;
    std::int64_t dispatched = 0;  // position up to which sleepers were looked for
    std::set<Follower*> sleepers;
    std::unordered_multimap<std::size_t, Follower*> by_key;  // those that wait for certain events
  };
  using Channels = std::map<std::string, Channel>;

  void Leave(Follower& follower);
  void OnAppended(const std::shared_ptr<const store::Appended>& appended);
  // Wakes who waits for what was appended to one channel, and makes way for others before the next.
  void Dispatch();
  struct Turn;
  std::optional<Turn> NextTurn();
  std::vector<Wake> TakeWoken(const Turn& turn, const std::optional<Keys>& keys);
  // Whether it slept.
  static bool Unlist(Channel& channel, Follower& follower);

  const Run run_;
  Mutex mutex_;
  std::condition_variable idle_;
  store::Tail tail_ TALLY_GUARDED_BY(mutex_);
  Channels channels_ TALLY_GUARDED_BY(mutex_);
  bool is_dispatching_ TALLY_GUARDED_BY(mutex_) = false;
  std::string last_turn_ TALLY_GUARDED_BY(mutex_);  // ledger of it
  std::unique_ptr<store::Listening> listening_;     // last: it uses all the others
};

// One stream's place. Used by one thread at a time.
class Live::Follower {
 public:
  Follower(Live& live, std::string ledger, Wake wake)
      : live_(live), ledger_(std::move(ledger)), wake_(std::move(wake)) {}
  ~Follower() { live_.Leave(*this); }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // What was appended after `position`, from memory; not known before anything was, nor when it is
  // too long ago.
  store::Tail::Stretch After(std::int64_t position, std::size_t bytes_max) const;

  // Has the follower woken once, as soon as something is appended after `position` that is in the
  // interest; any event is when there is none. False when something was appended after it already:
  // that is to be looked at first. `interest` is copied.
  bool Sleep(std::int64_t position, const Interest* interest);
  // Whether it sleeps still: nothing that it waits for was seen.
  bool IsAsleep() const;

 private:
  friend class Live;

  Live& live_;
  const std::string ledger_;
  const Wake wake_;
  std::unordered_set<std::size_t> keys_;  // while it sleeps; empty: any event
};

}  // namespace tally::service

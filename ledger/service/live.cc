#include "ledger/service/live.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "ledger/protocol/envelope_codec.h"

namespace tally::service {
namespace {

// Of the events after `position`; nullopt when one can't be read: it may be anything.
std::optional<Keys> KeysAfter(const store::Tail::Stretch& stretch, std::int64_t position) {
  Keys all;
  for (const auto& part : stretch.parts) {
    for (const store::StoredEvent& stored : part->events) {
      if (stored.position <= position) continue;
      const auto event = protocol::DecodeEnvelope(stored.envelope);
      if (!event.ok()) return std::nullopt;
      const Keys keys = KeysOf(*event);
      all.insert(all.end(), keys.begin(), keys.end());
    }
  }
  return all;
}

}  // namespace

struct Live::Turn {
  std::string ledger;
  std::int64_t from = 0;
  store::Tail::Stretch stretch;
  bool has_keys = false;  // someone waits for certain events
};

Live::Live(store::EventStore& store, Run run, std::size_t tail_bytes_max)
    : run_(std::move(run)),
      tail_(tail_bytes_max),
      listening_(store.Listen([this](const auto& appended) { OnAppended(appended); })) {}

Live::~Live() {
  listening_.reset();
  MutexLock lock(mutex_);
  lock.Await(idle_, [this]() TALLY_REQUIRES(mutex_) { return !is_dispatching_; });
}

std::unique_ptr<Live::Follower> Live::Follow(const std::string& ledger, Wake wake) {
  const MutexLock lock(mutex_);
  tail_.Open(ledger);
  ++channels_[ledger].followers;
  return std::make_unique<Follower>(*this, ledger, std::move(wake));
}

void Live::Leave(Follower& follower) {
  const MutexLock lock(mutex_);
  const auto channel = channels_.find(follower.ledger_);
  Unlist(channel->second, follower);
  tail_.Close(follower.ledger_);
  if (--channel->second.followers == 0) channels_.erase(channel);
}

void Live::OnAppended(const std::shared_ptr<const store::Appended>& appended) {
  {
    const MutexLock lock(mutex_);
    tail_.Add(appended);
    const auto channel = channels_.find(appended->ledger);
    if (channel == channels_.end() || channel->second.sleepers.empty() || is_dispatching_) return;
    is_dispatching_ = true;
  }
  run_([this] { Dispatch(); });
}

void Live::Dispatch() {
  const std::optional<Turn> turn = NextTurn();
  if (!turn.has_value()) return;
  std::optional<Keys> keys;
  // Reading events is work, and not to be done while the writer waits to file more.
  if (turn->has_keys && turn->stretch.is_known) keys = KeysAfter(turn->stretch, turn->from);
  for (const Wake& wake : TakeWoken(*turn, keys)) wake();
  run_([this] { Dispatch(); });
}

std::optional<Live::Turn> Live::NextTurn() {
  const MutexLock lock(mutex_);
  const auto is_behind = [this](const auto& each) TALLY_REQUIRES(mutex_) {
    return !each.second.sleepers.empty() && each.second.dispatched < tail_.Last(each.first);
  };
  // From the one after the last, so that a busy ledger holds up no other.
  const auto after = channels_.upper_bound(last_turn_);
  auto next = std::find_if(after, channels_.end(), is_behind);
  if (next == channels_.end()) next = std::find_if(channels_.begin(), after, is_behind);
  if (next == channels_.end() || !is_behind(*next)) {
    is_dispatching_ = false;
    idle_.notify_all();
    return std::nullopt;
  }
  last_turn_ = next->first;
  Turn turn;
  turn.ledger = next->first;
  turn.from = std::exchange(next->second.dispatched, tail_.Last(next->first));
  turn.stretch = tail_.After(turn.ledger, turn.from, std::numeric_limits<std::size_t>::max());
  turn.has_keys = !next->second.by_key.empty();
  return turn;
}

std::vector<Wake> Live::TakeWoken(const Turn& turn, const std::optional<Keys>& keys) {
  std::vector<Wake> wakes;
  const MutexLock lock(mutex_);
  const auto found = channels_.find(turn.ledger);
  if (found == channels_.end()) return wakes;
  Channel& channel = found->second;
  std::set<Follower*> woken;
  for (Follower* sleeper : channel.sleepers) {
    // Who fell asleep meanwhile has seen these events, and is woken in vain at worst.
    if (!keys.has_value() || sleeper->keys_.empty()) woken.insert(sleeper);
  }
  for (const std::size_t key : keys.value_or(Keys())) {
    const auto range = channel.by_key.equal_range(key);
    for (auto at = range.first; at != range.second; ++at) woken.insert(at->second);
  }
  for (Follower* sleeper : woken) {
    if (Unlist(channel, *sleeper)) wakes.push_back(sleeper->wake_);
  }
  return wakes;
}

bool Live::Unlist(Channel& channel, Follower& follower) {
  for (const std::size_t key : follower.keys_) {
    auto range = channel.by_key.equal_range(key);
    while (range.first->second != &follower) ++range.first;
    channel.by_key.erase(range.first);
  }
  follower.keys_.clear();
  return channel.sleepers.erase(&follower) > 0;
}

store::Tail::Stretch Live::Follower::After(std::int64_t position, std::size_t bytes_max) const {
  const MutexLock lock(live_.mutex_);
  return live_.tail_.After(ledger_, position, bytes_max);
}

bool Live::Follower::Sleep(std::int64_t position, const Interest* interest) {
  const MutexLock lock(live_.mutex_);
  if (live_.tail_.Last(ledger_) > position) return false;
  Channel& channel = live_.channels_.find(ledger_)->second;
  // What it has seen may be older than the tail, which begins with its first follower.
  if (channel.sleepers.empty()) {
    channel.dispatched = std::max(live_.tail_.Last(ledger_), position);
  }
  Unlist(channel, *this);
  channel.sleepers.insert(this);
  if (interest != nullptr) keys_ = interest->keys();
  for (const std::size_t key : keys_) channel.by_key.emplace(key, this);
  return true;
}

bool Live::Follower::IsAsleep() const {
  const MutexLock lock(live_.mutex_);
  const Channel& channel = live_.channels_.find(ledger_)->second;
  return channel.sleepers.count(const_cast<Follower*>(this)) > 0;
}

}  // namespace tally::service

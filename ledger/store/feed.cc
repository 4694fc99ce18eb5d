#include "ledger/store/feed.h"

#include <utility>

namespace tally::store {

class Feed::Place final : public Listening {
 public:
  Place(std::shared_ptr<Listeners> listeners, Listener listener)
      : listeners_(std::move(listeners)) {
    const MutexLock lock(listeners_->mutex);
    at_ = listeners_->all.insert(listeners_->all.end(), std::move(listener));
  }
  ~Place() override {
    const MutexLock lock(listeners_->mutex);
    listeners_->all.erase(at_);
  }

 private:
  const std::shared_ptr<Listeners> listeners_;
  std::list<Listener>::iterator at_;
};

std::unique_ptr<Listening> Feed::Add(Listener listener) {
  return std::make_unique<Place>(listeners_, std::move(listener));
}

void Feed::Tell(const std::shared_ptr<const Appended>& appended) {
  const MutexLock lock(listeners_->mutex);
  for (const Listener& listener : listeners_->all) listener(appended);
}

}  // namespace tally::store

// A map of bounded size that forgets what was not touched for longest.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace tally::observation {

template <typename T>
class Lru {
 public:
  explicit Lru(std::size_t entries_max) : entries_max_(entries_max) {}

  // The value, or a null pointer. Valid until the next call.
  T* Find(const std::string& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &found->second->second;
  }

  T& Put(const std::string& key, T value) {
    if (T* present = Find(key); present != nullptr) {
      *present = std::move(value);
      return *present;
    }
    entries_.emplace_front(key, std::move(value));
    index_[key] = entries_.begin();
    if (entries_.size() > entries_max_) {
      index_.erase(entries_.back().first);
      entries_.pop_back();
    }
    return entries_.front().second;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<std::string, T>>;
  std::size_t entries_max_;
  Entries entries_;  // latest touched first
  std::unordered_map<std::string, typename Entries::iterator> index_;
};

}  // namespace tally::observation

// Internal to service: what an answer was made from, so that an event that may change it is told
// from one that can't without making it again.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "ledger/settlement/event.h"
#include "ledger/settlement/index.h"

namespace tally::service {

// Subjects and aliases as numbers. Two of one number cost a look too many, never one too few.
using Keys = std::vector<std::size_t>;
Keys KeysOf(const settlement::Event& event);

class Interest {
 public:
  // Events filed under the subject bear on the answer.
  void Add(const settlement::Subject& subject);
  // Subjects found under the alias bear on the answer, those that will be too.
  void Add(const settlement::Alias& alias);
  // What was read bears on the answer, and so do the links that it may be given: challenges it
  // echoes, and whatever meets it in its session.
  void AddLinksOf(const settlement::Event& event);

  const std::unordered_set<std::size_t>& keys() const { return keys_; }
  bool Holds(const Keys& keys) const;

 private:
  std::unordered_set<std::size_t> keys_;
};

}  // namespace tally::service

// What a check of a database found: one line each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tally::store::sqlite {

struct Finding {
  std::string ledger;         // empty: of the file as a whole
  std::int64_t position = 0;  // 0: of no event
  std::string what;           // was looked at
  std::string seen;
  std::string wanted;
};

// Keeps the first of them and counts all, so that a file that is broken all over costs no more
// memory than one that is broken once.
class Findings {
 public:
  static constexpr std::size_t kKeptMax = 1000;

  void Add(Finding finding) {
    if (kept_.size() < kKeptMax) kept_.push_back(std::move(finding));
    ++count_;
  }
  std::size_t count() const { return count_; }
  const std::vector<Finding>& kept() const { return kept_; }

 private:
  std::vector<Finding> kept_;
  std::size_t count_ = 0;
};

}  // namespace tally::store::sqlite

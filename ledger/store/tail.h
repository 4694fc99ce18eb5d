// The latest events of the ledgers that somebody follows, in memory, so that followers need no
// disk. Bounded in bytes over all ledgers; who lags behind it reads from the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "ledger/store/feed.h"

namespace tally::store {

// Not thread-safe.
class Tail {
 public:
  explicit Tail(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Events of the ledger are kept from now on, until as many Close() as Open().
  void Open(const std::string& ledger);
  void Close(const std::string& ledger);

  // Of a ledger that isn't open: does nothing.
  void Add(const std::shared_ptr<const Appended>& appended);

  // The last position added; 0 while none was, or the ledger isn't open.
  std::int64_t Last(absl::string_view ledger) const;

  struct Stretch {
    // Otherwise there are no parts: nothing was added yet, or what comes next was dropped.
    bool is_known = false;
    // By position, without a gap. The first may begin before what was asked for.
    std::vector<std::shared_ptr<const Appended>> parts;
    // Nothing was added after the position and these parts.
    bool is_all = true;
  };
  // What was added after `position`, oldest first: whole commits, until they hold `bytes_max`.
  Stretch After(absl::string_view ledger, std::int64_t position, std::size_t bytes_max) const;

 private:
  struct Channel {
    int opened = 0;
    std::int64_t last = 0;
    std::deque<std::shared_ptr<const Appended>> parts;
  };
  void DropOldest();

  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::map<std::string, Channel, std::less<>> channels_;
  // Where each part is that is kept; oldest first.
  std::deque<Channel*> order_;
};

}  // namespace tally::store

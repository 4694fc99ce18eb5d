// A clock that moves when it is told to.
#pragma once

#include <atomic>

#include "ledger/base/clock.h"

namespace tally::support {

// Thread-safe.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(absl::Time now = absl::FromUnixSeconds(1'800'000'000))
      : micros_(absl::ToUnixMicros(now)) {}

  absl::Time Now() const override { return absl::FromUnixMicros(micros_); }
  void Advance(absl::Duration by) { micros_ += absl::ToInt64Microseconds(by); }

 private:
  std::atomic<std::int64_t> micros_;
};

}  // namespace tally::support

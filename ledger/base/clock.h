// The injected clock: UTC, microseconds. Nothing below server/ and tools/ asks the machine for the
// time.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace tally {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Whole microseconds.
  virtual absl::Time Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  absl::Time Now() const override;
};

// FormatTime(time): RFC 3339 in UTC with exactly six decimals and Z. An object, so that argument
// lookup does not find absl::FormatTime(absl::Time), which writes the machine's zone, beside it.
struct TimeFormat {
  std::string operator()(absl::Time time) const;
};
inline constexpr TimeFormat FormatTime;

// RFC 3339 with any offset; nanoseconds are cut to microseconds, a leap second is the second after
// it. FIELD_MALFORMED (field "time") otherwise.
absl::StatusOr<absl::Time> ParseTime(absl::string_view text);

}  // namespace tally

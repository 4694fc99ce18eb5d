// The injected clock: UTC, microseconds. Nothing below server/ and tools/ asks the machine for the time.
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

// RFC 3339 in UTC with exactly six decimals and Z.
std::string FormatTime(absl::Time time);
// RFC 3339 with any offset; nanoseconds are cut to microseconds. FIELD_MALFORMED (field "time") otherwise.
absl::StatusOr<absl::Time> ParseTime(absl::string_view text);

}  // namespace tally

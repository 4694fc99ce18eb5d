#include "ledger/base/clock.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/time/clock.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

// '0' stands for a digit; everything else for itself.
bool TakeShape(absl::string_view& text, absl::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? !absl::ascii_isdigit(static_cast<unsigned char>(text[i]))
                        : text[i] != shape[i]) {
      return false;
    }
  }
  text.remove_prefix(shape.size());
  return true;
}

// RFC 3339 section 5.6. Abseil's parser also takes white space, years of any length and
// "infinite-future", which are no times to this ledger.
bool IsRfc3339(absl::string_view text) {
  if (!TakeShape(text, "0000-00-00")) return false;
  if (!TakeShape(text, "T") && !TakeShape(text, "t")) return false;
  if (!TakeShape(text, "00:00:00")) return false;
  if (TakeShape(text, ".")) {
    if (!TakeShape(text, "0")) return false;
    while (TakeShape(text, "0")) continue;
  }
  if (text == "Z" || text == "z") return true;
  if (!TakeShape(text, "+") && !TakeShape(text, "-")) return false;
  const absl::string_view offset = text;
  return TakeShape(text, "00:00") && text.empty() && offset.substr(0, 2) <= "23" &&
         offset.substr(3) <= "59";
}

absl::Time ToMicroseconds(absl::Time time) {
  return absl::FromUnixMicros(absl::ToUnixMicros(time));
}

}  // namespace

absl::Time SystemClock::Now() const { return ToMicroseconds(absl::Now()); }

std::string TimeFormat::operator()(absl::Time time) const {
  return absl::FormatTime("%E4Y-%m-%d%ET%H:%M:%E6SZ", time, absl::UTCTimeZone());
}

absl::StatusOr<absl::Time> ParseTime(absl::string_view text) {
  absl::Time time;
  std::string error;
  if (!IsRfc3339(text) || !absl::ParseTime(absl::RFC3339_full, text, &time, &error)) {
    return FieldError("time", text, "an RFC 3339 time such as 2026-01-31T12:00:00.000000Z");
  }
  return ToMicroseconds(time);
}

}  // namespace tally

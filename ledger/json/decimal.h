// A number's decimal value, for RFC 8785: what the text says and what a double prints back.
// Internal to json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace tally::json {

// ±0.DIGITS × 10^exponent. Digits have no zero at either end; zero has none and exponent 0.
struct Decimal {
  bool is_negative = false;
  std::string digits;
  std::int64_t exponent = 0;
};

// The value of a JSON number (RFC 8259 section 6); nullopt when the text is none.
std::optional<Decimal> ParseDecimal(absl::string_view text);
// The shortest digits that read back as this double, which is finite.
Decimal ShortestDecimal(double value);
// ECMAScript's Number::toString, radix 10.
std::string ToEcmaScript(const Decimal& decimal);

}  // namespace tally::json

#include "ledger/json/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace tally::json {
namespace {

// Far outside a double and far inside an int64, for exponents that fit in neither.
constexpr std::int64_t kExponentMax = 1'000'000'000'000;

absl::string_view TakeDigits(absl::string_view& text) {
  std::size_t size = 0;
  while (size < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[size]))) ++size;
  const absl::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

bool Take(absl::string_view& text, absl::string_view choices) {
  if (text.empty() || choices.find(text[0]) == absl::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// The rest of the text after "e"; nullopt when it is no exponent.
std::optional<std::int64_t> ParseExponent(absl::string_view text) {
  const bool is_negative = Take(text, "-");
  if (!is_negative) Take(text, "+");
  const absl::string_view digits = TakeDigits(text);
  if (digits.empty() || !text.empty()) return std::nullopt;
  std::int64_t exponent = 0;
  for (const char digit : digits) {
    exponent = std::min(exponent * 10 + (digit - '0'), kExponentMax);
  }
  return is_negative ? -exponent : exponent;
}

}  // namespace

std::optional<Decimal> ParseDecimal(absl::string_view text) {
  Decimal decimal;
  decimal.is_negative = Take(text, "-");
  const absl::string_view whole = TakeDigits(text);
  if (whole.empty() || (whole.size() > 1 && whole[0] == '0')) return std::nullopt;
  absl::string_view fraction;
  if (Take(text, ".")) {
    fraction = TakeDigits(text);
    if (fraction.empty()) return std::nullopt;
  }
  std::optional<std::int64_t> exponent = 0;
  if (Take(text, "eE")) {
    exponent = ParseExponent(text);
  } else if (!text.empty()) {
    return std::nullopt;
  }
  if (!exponent.has_value()) return std::nullopt;

  decimal.digits = absl::StrCat(whole, fraction);
  const std::size_t zeros = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.digits.erase(0, zeros);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  if (decimal.digits.empty()) return decimal;
  decimal.exponent =
      *exponent + static_cast<std::int64_t>(whole.size()) - static_cast<std::int64_t>(zeros);
  return decimal;
}

Decimal ShortestDecimal(double value) {
  std::array<char, 32> buffer;  // at most 24 characters, as in -2.2250738585072014e-308
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::scientific);
  const absl::string_view text(buffer.data(),
                               static_cast<std::size_t>(written.ptr - buffer.data()));
  return ParseDecimal(text).value_or(Decimal());
}

// ECMA-262 section 6.1.6.1.20; k and n are its names.
std::string ToEcmaScript(const Decimal& decimal) {
  if (decimal.digits.empty()) return "0";
  const absl::string_view digits = decimal.digits;
  const auto k = static_cast<std::int64_t>(digits.size());
  const std::int64_t n = decimal.exponent;
  const absl::string_view sign = decimal.is_negative ? "-" : "";
  if (k <= n && n <= 21) {
    return absl::StrCat(sign, digits, std::string(static_cast<std::size_t>(n - k), '0'));
  }
  if (0 < n && n <= 21) {
    const auto point = static_cast<std::size_t>(n);
    return absl::StrCat(sign, digits.substr(0, point), ".", digits.substr(point));
  }
  if (-6 < n && n <= 0) {
    return absl::StrCat(sign, "0.", std::string(static_cast<std::size_t>(-n), '0'), digits);
  }
  return absl::StrCat(sign, digits.substr(0, 1), k == 1 ? "" : ".", digits.substr(1),
                      n > 0 ? "e+" : "e-", std::abs(n - 1));
}

}  // namespace tally::json

#include "ledger/json/surrogates.h"

#include <cstdint>
#include <optional>

namespace tally::json {
namespace {

constexpr std::size_t kEscapeBytes = 6;  // backslash, u and four digits

std::optional<std::uint32_t> UnitAt(absl::string_view text, std::size_t at) {
  if (at + kEscapeBytes > text.size() || text[at] != '\\' || text[at + 1] != 'u') {
    return std::nullopt;
  }
  std::uint32_t unit = 0;
  for (const char c : text.substr(at + 2, 4)) {
    const std::uint32_t digit = c >= '0' && c <= '9'   ? static_cast<std::uint32_t>(c - '0')
                                : c >= 'a' && c <= 'f' ? static_cast<std::uint32_t>(c - 'a') + 10
                                : c >= 'A' && c <= 'F' ? static_cast<std::uint32_t>(c - 'A') + 10
                                                       : 16;
    if (digit == 16) return std::nullopt;
    unit = unit * 16 + digit;
  }
  return unit;
}

bool IsHigh(std::uint32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLow(std::uint32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::string ReplaceHalfSurrogates(absl::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') continue;
    const std::optional<std::uint32_t> unit = UnitAt(text, i);
    if (!unit.has_value()) {
      ++i;  // whatever is escaped, it is no start of another escape
      continue;
    }
    const std::optional<std::uint32_t> next = UnitAt(text, i + kEscapeBytes);
    if (IsHigh(*unit) && next.has_value() && IsLow(*next)) {
      i += 2 * kEscapeBytes - 1;
      continue;
    }
    if (IsHigh(*unit) || IsLow(*unit)) out.replace(i, kEscapeBytes, "\\ufffd");
    i += kEscapeBytes - 1;
  }
  return out;
}

}  // namespace tally::json

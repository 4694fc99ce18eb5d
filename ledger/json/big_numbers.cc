#include "ledger/json/big_numbers.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

constexpr absl::string_view kNumberCharacters = "0123456789+-.eE";

std::size_t EndOfString(absl::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

bool IsBig(absl::string_view number) { return std::isinf(Number{std::string(number)}.AsDouble()); }

// The shortest number that is beyond a double takes five characters.
std::string ZeroOfLength(std::size_t size) {
  return absl::StrCat("0.", std::string(size - 2, '0'));
}

}  // namespace

WithoutBigNumbers TakeBigNumbers(absl::string_view text) {
  WithoutBigNumbers out;
  out.text = std::string(text);
  std::size_t place = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = EndOfString(text, at);
      continue;
    }
    if (c != '-' && (c < '0' || c > '9')) {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_not_of(kNumberCharacters, at), text.size());
    const absl::string_view number = text.substr(at, end - at);
    if (IsBig(number)) {
      out.taken.emplace(place, std::string(number));
      out.text.replace(at, number.size(), ZeroOfLength(number.size()));
    }
    ++place;
    at = end;
  }
  return out;
}

}  // namespace tally::json

#include "ledger/base/printable.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/base/encoding.h"

namespace tally {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// What is not to be seen in a line of text, by code point: Unicode's control and format characters,
// its line separators, and fillers that are letters by name only.
constexpr Range kHidden[] = {
    {0x0000, 0x001f},    // C0
    {0x007f, 0x009f},    // delete, and C1, which terminals may obey
    {0x00ad, 0x00ad},    // soft hyphen
    {0x034f, 0x034f},    // grapheme joiner
    {0x061c, 0x061c},    // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer inherent vowels
    {0x180b, 0x180f},    // Mongolian selectors and separator
    {0x200b, 0x200f},    // zero width, and marks of direction
    {0x2028, 0x202e},    // separators, embeddings and overrides
    {0x2060, 0x206f},    // joiners, isolates and deprecated formats
    {0x3164, 0x3164},    // Hangul filler
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // half-width Hangul filler
    {0xfff0, 0xfffb},    // annotations
    {0xe0000, 0xe0fff},  // tags and selectors
};

// Of a well-formed character.
std::uint32_t CodePointOf(absl::string_view character) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<unsigned char>(character[i])};
  };
  if (character.size() == 1) return byte(0);
  std::uint32_t code_point = byte(0) & (0x7fU >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i)
    code_point = code_point << 6 | (byte(i) & 0x3fU);
  return code_point;
}

bool IsHidden(std::uint32_t code_point) {
  return std::any_of(std::begin(kHidden), std::end(kHidden), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

void AppendWrittenOut(std::string& out, std::uint32_t code_point) {
  if (code_point == '\n') {
    absl::StrAppend(&out, "\\n");
  } else if (code_point == '\r') {
    absl::StrAppend(&out, "\\r");
  } else if (code_point == '\t') {
    absl::StrAppend(&out, "\\t");
  } else if (code_point < 0x80) {
    absl::StrAppendFormat(&out, "\\x%02x", code_point);
  } else if (code_point < 0x10000) {
    absl::StrAppendFormat(&out, "\\u%04x", code_point);
  } else {
    absl::StrAppendFormat(&out, "\\u{%x}", code_point);
  }
}

}  // namespace

std::string Printable(absl::string_view text, std::size_t characters_max) {
  std::string out;
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == characters_max) return absl::StrCat(out, "…");
    const std::size_t size = Utf8CharacterBytes(text);
    if (size == 0) {
      absl::StrAppendFormat(&out, "\\x%02x", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    const absl::string_view character = text.substr(0, size);
    const std::uint32_t code_point = CodePointOf(character);
    if (IsHidden(code_point)) {
      AppendWrittenOut(out, code_point);
    } else {
      absl::StrAppend(&out, character);
    }
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace tally

#include "ledger/base/encoding.h"

#include <cstdint>
#include <optional>

#include "absl/strings/escaping.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

std::optional<unsigned> HexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return std::nullopt;
}

std::optional<unsigned> Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0') + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return std::nullopt;
}

// The digits without their padding; nullopt when the padding is wrong or no such length exists.
std::optional<absl::string_view> WithoutPadding(absl::string_view text) {
  absl::string_view digits = text;
  while (!digits.empty() && digits.back() == '=') digits.remove_suffix(1);
  const std::size_t padding = text.size() - digits.size();
  if (digits.size() % 4 == 1) return std::nullopt;
  if (padding != 0 && (padding > 2 || text.size() % 4 != 0)) return std::nullopt;
  return digits;
}

}  // namespace

std::string HexEncode(absl::string_view bytes) { return absl::BytesToHexString(bytes); }

absl::StatusOr<std::string> HexDecode(absl::string_view hex) {
  constexpr absl::string_view kWanted = "an even number of hex digits";
  if (hex.size() % 2 != 0) return FieldError("hex", hex, kWanted);
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const std::optional<unsigned> high = HexDigit(hex[i]);
    const std::optional<unsigned> low = HexDigit(hex[i + 1]);
    if (!high.has_value() || !low.has_value()) return FieldError("hex", hex, kWanted);
    bytes.push_back(static_cast<char>(*high << 4 | *low));
  }
  return bytes;
}

std::string Base32Encode(absl::string_view bytes) {
  constexpr absl::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
  std::string out;
  out.reserve((bytes.size() * 8 + 4) / 5);
  std::uint32_t pending = 0;
  unsigned bits = 0;
  for (const char byte : bytes) {
    pending = (pending << 8 | static_cast<unsigned char>(byte)) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) out.push_back(kAlphabet[pending >> (bits - 5) & 31]);
  }
  if (bits > 0) out.push_back(kAlphabet[pending << (5 - bits) & 31]);
  return out;
}

std::string Base64Encode(absl::string_view bytes) { return absl::Base64Escape(bytes); }

absl::StatusOr<std::string> Base64Decode(absl::string_view text) {
  constexpr absl::string_view kWanted = "base64";
  const std::optional<absl::string_view> digits = WithoutPadding(text);
  if (!digits.has_value()) return FieldError("base64", text, kWanted);
  const bool is_standard = digits->find_first_of("+/") != absl::string_view::npos;
  const bool is_url_safe = digits->find_first_of("-_") != absl::string_view::npos;
  if (is_standard && is_url_safe) return FieldError("base64", text, kWanted);

  std::string bytes;
  bytes.reserve(digits->size() * 3 / 4);
  std::uint32_t pending = 0;
  unsigned bits = 0;
  for (const char c : *digits) {
    const std::optional<unsigned> digit = Base64Digit(c);
    if (!digit.has_value()) return FieldError("base64", text, kWanted);
    pending = (pending << 6 | *digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(pending >> bits & 0xff));
  }
  return bytes;
}

bool IsValidUtf8(absl::string_view text) {
  while (!text.empty()) {
    const std::size_t size = Utf8CharacterBytes(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

// The table of well-formed byte sequences, Unicode Standard, table 3-7.
std::size_t Utf8CharacterBytes(absl::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < size) return 0;
  // The second byte rules out overlong forms, surrogates and what is above U+10FFFF.
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

}  // namespace tally

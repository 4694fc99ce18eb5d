// Hex, base32 and base64 as the wire uses them. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

// Lower-case hex without prefix.
std::string HexEncode(absl::string_view bytes);
// Accepts either case, even length, no prefix; FIELD_MALFORMED otherwise (field "hex").
absl::StatusOr<std::string> HexDecode(absl::string_view hex);
// RFC 4648 base32, lower case, no padding.
std::string Base32Encode(absl::string_view bytes);
std::string Base64Encode(absl::string_view bytes);
// RFC 4648 section 4 or 5 alphabet (not both at once), padding optional; FIELD_MALFORMED otherwise
// (field "base64"). Bits beyond the last byte are ignored, as JavaScript does.
absl::StatusOr<std::string> Base64Decode(absl::string_view text);
bool IsValidUtf8(absl::string_view text);
// Bytes of the UTF-8 character `text` begins with; 0 when it is ill-formed or `text` is empty.
std::size_t Utf8CharacterBytes(absl::string_view text);

}  // namespace tally

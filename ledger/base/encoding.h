// Hex, base32 and base64 as the wire uses them. Pure.
#pragma once

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
// RFC 4648 section 4 or 5 alphabet, padding optional; FIELD_MALFORMED otherwise (field "base64").
absl::StatusOr<std::string> Base64Decode(absl::string_view text);
bool IsValidUtf8(absl::string_view text);

}  // namespace tally

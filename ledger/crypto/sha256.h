// SHA-256. Pure; thread-safe.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tally::crypto {

// 32 bytes.
std::string Sha256(absl::string_view bytes);
// 64 lower-case hex digits.
std::string Sha256Hex(absl::string_view bytes);

}  // namespace tally::crypto

// JSON string literals. Internal to json.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tally::json {

// Appends the literal with its quotes and the escapes of RFC 8785 section 3.2.2.2, which are the
// fewest JSON allows. Bytes that are not UTF-8 become U+FFFD.
void AppendLiteral(std::string& out, absl::string_view text);

}  // namespace tally::json

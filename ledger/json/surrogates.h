// Half surrogate pairs, which JavaScript reads and writes as escapes and UTF-8 can't hold. Pure.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tally::json {

// JSON text with each escape of a half pair (`\ud800`) replaced by that of U+FFFD, as JavaScript
// does when it encodes such a string. Of the same length; other text is left as it is.
std::string ReplaceHalfSurrogates(absl::string_view text);

}  // namespace tally::json

// Internal to observation: where values stand in a text, so that a wire document inside another is
// kept as it was written. The text is known to be JSON.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"

namespace tally::observation {

// The member's value in the text of an object, the last one where there are several, as JavaScript
// reads it; empty when there is none.
absl::string_view MemberText(absl::string_view text, absl::string_view key);
// The elements of the text of an array.
std::vector<absl::string_view> ElementTexts(absl::string_view text);

}  // namespace tally::observation

// Numbers beyond a double, such as 1e400: JavaScript reads them as infinity, the tokenizer refuses
// them. Internal to json.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace tally::json {

struct WithoutBigNumbers {
  std::string text;                          // each replaced by a zero of the same length
  std::map<std::size_t, std::string> taken;  // as written, by place among all numbers of the text
};
// The text need not be JSON.
WithoutBigNumbers TakeBigNumbers(absl::string_view text);

}  // namespace tally::json

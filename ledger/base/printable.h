// Text from elsewhere, made safe to look at. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tally {

// The text with what could steer a terminal, or make a line read as another, written out: control
// characters, those that turn the direction of text or can't be seen, and bytes that are not UTF-8
// become `\n`, `\x1b`, `\u202e`. On one line. After `characters_max` characters comes `…`.
std::string Printable(absl::string_view text, std::size_t characters_max = absl::string_view::npos);

}  // namespace tally

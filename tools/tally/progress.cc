#include "tools/tally/progress.h"

#include <cstdio>

#include "absl/time/clock.h"
#include "tools/tally/text.h"

namespace tally::cli {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(1);
constexpr absl::Duration kBetween = absl::Milliseconds(200);

}  // namespace

Progress::Progress() : start_(absl::Now()), last_(start_) {}

void Progress::Show(const std::string& line) {
  const absl::Time now = absl::Now();
  if (now - start_ < kPatience || now - last_ < kBetween || !IsTerminal(stderr)) return;
  last_ = now;
  is_shown_ = true;
  std::fprintf(stderr, "\r%s\x1b[K", Printable(line).c_str());
}

void Progress::Clear() {
  if (is_shown_) std::fputs("\r\x1b[K", stderr);
  is_shown_ = false;
}

}  // namespace tally::cli

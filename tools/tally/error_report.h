// Errors for a person: one line on stderr, a hint on what to do, and the exit code of the reason.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/tally/exit_codes.h"

namespace tally::cli {

ExitCode ExitCodeOf(const absl::Status& status);

// Prints `tally: what is wrong: hint`, and returns the exit code.
ExitCode ReportError(const absl::Status& status);

// Prints `tally: …`, control characters made harmless.
void Warn(absl::string_view message);

}  // namespace tally::cli

// Errors on one line of stderr, for a person and for a program: what is wrong, what to do about it,
// and at the end, in brackets, the reason of docs/ERRORS.md and the exit code it leads to.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/tally/exit_codes.h"

namespace tally::cli {

ExitCode ExitCodeOf(const absl::Status& status);

// Prints `tally: what is wrong (what to do) [LEDGER_NOT_FOUND, exit 2: usage]`, and returns the
// exit code. `hint` takes the place of what the reason suggests.
ExitCode ReportError(const absl::Status& status, absl::string_view hint = "");

// Prints `tally: …`, made printable.
void Warn(absl::string_view message);

}  // namespace tally::cli

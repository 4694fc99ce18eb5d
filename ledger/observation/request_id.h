// JSON-RPC ids as the ledger keeps them.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally::observation {

// JSON text of the id in the form JavaScript echoes it (2.0 is 2), type kept; one longer than an id
// may be gives way to its digest. JSON-RPC wants a string or a number; a call that was named by
// something else is found by that all the same. FIELD_MALFORMED when the text is not JSON.
absl::StatusOr<std::string> ReadRequestId(absl::string_view json_text, absl::string_view field);

}  // namespace tally::observation

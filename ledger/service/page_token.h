// Internal to service: where a list goes on, opaque to callers and bound to its query.
#pragma once

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/settlement/event.h"

namespace tally::service {

using ListPlace = std::pair<absl::Time, settlement::Subject>;

// `query` says everything the rows depend on.
std::string EncodePageToken(absl::string_view query, const ListPlace& place);
// PAGE_TOKEN_INVALID when it is none, or one of another query.
absl::StatusOr<ListPlace> DecodePageToken(absl::string_view query, const std::string& token);

}  // namespace tally::service

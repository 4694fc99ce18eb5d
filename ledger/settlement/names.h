// The words of the enums of an answer.
#pragma once

#include <optional>

#include "absl/strings/string_view.h"
#include "ledger/settlement/answer.h"

namespace tally::settlement {

// Upper snake case without prefix: "RAN_UNPAID".
absl::string_view NameOf(Presentation value);
absl::string_view NameOf(Execution value);
absl::string_view NameOf(Settlement value);
absl::string_view NameOf(Liveness value);
absl::string_view NameOf(Delivery value);
absl::string_view NameOf(Label value);
absl::string_view NameOf(Advice value);
absl::string_view NameOf(Anomaly value);
absl::string_view NameOf(Word value);
std::optional<Label> LabelFromName(absl::string_view name);

}  // namespace tally::settlement

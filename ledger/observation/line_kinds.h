// Internal to observation: what the kinds of transcript lines hold.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/observation/line_fields.h"
#include "ledger/observation/observation.h"

namespace tally::observation {

absl::StatusOr<Body> ReadLineBody(absl::string_view kind, const LineFields& fields);

// Without a recorder line, a line says no more than that its own kind is seen.
settlement::Observes ObservesOfKind(const Body& body);

}  // namespace tally::observation

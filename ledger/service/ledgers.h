// Which ledger a request means, and how it names endpoints.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/store/event_store.h"
#include "ledger/types/ids.h"

namespace tally::service {

// An empty name is the only ledger there is, else LEDGER_AMBIGUOUS (metadata "ledgers").
// LEDGER_NOT_FOUND.
absl::StatusOr<store::Ledger> FindLedger(store::EventStore& store, absl::string_view name);

// The same, to be read. Sees every write acknowledged before.
absl::StatusOr<std::unique_ptr<store::Reader>> OpenReader(store::EventStore& store,
                                                          absl::string_view name);

// The endpoint in the form it is kept in: normalised, and what the ledger says it stands for.
std::string EndpointIn(const store::Ledger& ledger, absl::string_view endpoint);

}  // namespace tally::service

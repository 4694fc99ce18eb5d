// The ledgers of a database file, in this process.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ledger/store/event_store.h"
#include "tools/tally/session.h"

namespace tally::cli {

absl::StatusOr<std::unique_ptr<store::EventStore>> OpenStore(const std::string& path,
                                                             Access access);
absl::StatusOr<std::unique_ptr<Api>> OpenEmbedded(const std::string& path, Access access);

}  // namespace tally::cli

#include "ledger/service/ledgers.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::service {

absl::StatusOr<store::Ledger> FindLedger(store::EventStore& store, absl::string_view name) {
  if (!name.empty()) return store.GetLedger(name);
  TALLY_ASSIGN_OR_RETURN(std::vector<store::Ledger> ledgers, store.ListLedgers());
  if (ledgers.size() == 1) return std::move(ledgers.front());
  constexpr std::size_t kNamesMax = 20;
  std::vector<std::string> names;
  for (const store::Ledger& ledger : ledgers) {
    if (names.size() < kNamesMax) names.push_back(ledger.name);
  }
  const std::string list = absl::StrJoin(names, " ");
  return Error(Reason::kLedgerAmbiguous, ledgers.empty()
                                             ? "no ledger was named, and there is none"
                                             : absl::StrCat("no ledger was named, and there are ",
                                                            ledgers.size(), ": ", list))
      .With("field", "ledger")
      .With("ledgers", list);
}

absl::StatusOr<std::unique_ptr<store::Reader>> OpenReader(store::EventStore& store,
                                                          absl::string_view name) {
  if (!name.empty()) return store.OpenReader(name);
  TALLY_ASSIGN_OR_RETURN(const store::Ledger ledger, FindLedger(store, name));
  return store.OpenReader(ledger.name);
}

std::string EndpointIn(const store::Ledger& ledger, absl::string_view endpoint) {
  constexpr std::size_t kEndpointBytesMax = 2048;
  const std::string normalized = NormalizeEndpoint(endpoint.substr(0, kEndpointBytesMax));
  const auto found = ledger.endpoint_names.find(normalized);
  return found == ledger.endpoint_names.end() ? normalized : found->second;
}

}  // namespace tally::service

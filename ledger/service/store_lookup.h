// Internal to service: requests that the correlation memory forgot, found again in the ledger.
#pragma once

#include <string>
#include <utility>

#include "ledger/observation/calls.h"
#include "ledger/store/event_store.h"

namespace tally::service {

class StoreLookup final : public observation::Lookup {
 public:
  // `store` must outlive this.
  StoreLookup(store::EventStore& store, std::string ledger)
      : store_(store), ledger_(std::move(ledger)) {}

  absl::StatusOr<std::optional<observation::RememberedCall>> FindPaidCall(const CallId& call,
                                                                          absl::Time time) override;
  absl::StatusOr<std::optional<observation::RememberedExchange>> FindExchange(
      absl::string_view session, absl::string_view exchange) override;
  absl::StatusOr<std::optional<observation::GrantedExecution>> FindExecution(
      absl::string_view execution_id) override;

 private:
  store::EventStore& store_;
  std::string ledger_;
};

}  // namespace tally::service

// Internal to observation: one reader for each kind, each in the file of its name.
#pragma once

#include "absl/status/statusor.h"
#include "ledger/observation/calls.h"
#include "ledger/observation/observation.h"
#include "ledger/observation/read.h"

namespace tally::observation {

absl::StatusOr<Reading> ReadMcpFrame(const Observation& observation, const McpFrame& frame,
                                     Calls& calls);
absl::StatusOr<Reading> ReadFacilitatorRequest(const Observation& observation,
                                               const FacilitatorRequest& request, Calls& calls);
absl::StatusOr<Reading> ReadFacilitatorAnswer(const Observation& observation,
                                              const FacilitatorAnswer& answer, Calls& calls);
absl::StatusOr<Reading> ReadExecutionMark(const Observation& observation, const ExecutionMark& mark,
                                          Calls& calls);
absl::StatusOr<Reading> ReadClientReport(const Observation& observation, const ClientReport& report,
                                         Calls& calls);
absl::StatusOr<Reading> ReadChainReport(const Observation& observation, const ChainReport& report);
absl::StatusOr<Reading> ReadTaskMark(const Observation& observation, const TaskMark& mark,
                                     Calls& calls);
absl::StatusOr<Reading> ReadResolutionMark(const Observation& observation,
                                           const ResolutionMark& mark);

}  // namespace tally::observation

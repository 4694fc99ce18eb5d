// Internal to observation: a JSON-RPC batch, frame by frame.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "ledger/observation/observation.h"
#include "ledger/observation/read.h"

namespace tally::observation {

using FrameReader =
    std::function<absl::StatusOr<Reading>(const Observation& own, const McpFrame& frame)>;

// `batch.message` is known to be the text of an array. Each frame is an observation of its own id,
// with its own text as the wire document; of a batch over 64 KiB no bytes are kept. LIMIT_EXCEEDED
// beyond 100 frames.
absl::StatusOr<Reading> ReadBatch(const Observation& observation, const McpFrame& batch,
                                  const FrameReader& read);

}  // namespace tally::observation

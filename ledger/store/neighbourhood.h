// What else bears on a subject's answer: its slot, its purchase, the challenges it answers. Knows
// no storage: a Finder and a Loader do.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/settlement/answer.h"
#include "ledger/settlement/index.h"

namespace tally::store {

// How many neighbours of each kind bear on an answer; beyond, `has_more`.
inline constexpr std::size_t kNeighboursMax = 100;

// States are large, and one question meets the same ones several times.
using SharedState = std::shared_ptr<const settlement::State>;

struct Neighbourhood {
  std::vector<SharedState> states;  // what `surroundings` points into
  settlement::Surroundings surroundings;
};
using Finder = std::function<absl::StatusOr<std::vector<settlement::Subject>>(
    const settlement::Alias& alias, std::size_t limit)>;
// May return less than everything, for readings as of a time; what comes back empty is left out.
using Loader = std::function<absl::StatusOr<SharedState>(const settlement::Subject& subject)>;
absl::StatusOr<Neighbourhood> LoadNeighbourhood(const settlement::State& state, const Finder& find,
                                                const Loader& load);

}  // namespace tally::store

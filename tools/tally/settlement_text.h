// One settlement for a person.
#pragma once

#include <optional>

#include "tallystick/v1/answer.pb.h"

namespace tally::cli {

// The answer first, then why, then what it is about, then the timeline. On stdout.
void PrintSettlement(const tallystick::v1::Settlement& settlement, std::optional<int> decimals);

}  // namespace tally::cli

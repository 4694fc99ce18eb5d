// Claim refusals by name. No program prints one; tests compare them.
#pragma once

#include <cstddef>

#include "absl/strings/string_view.h"
#include "ledger/settlement/decide.h"

namespace tally::settlement {

// UNKNOWN_VALUE for what is none.
inline absl::string_view NameOf(ClaimRefusal refusal) {
  constexpr const char* kNames[] = {"ALREADY_GRANTED", "OTHER_REQUEST", "NOT_UNIQUE", "RUN_UNKNOWN",
                                    "ALREADY_RAN",     "FAILED_ONCE",   "CLOSED"};
  const auto number = static_cast<std::size_t>(refusal);
  return number < std::size(kNames) ? kNames[number] : "UNKNOWN_VALUE";
}

}  // namespace tally::settlement

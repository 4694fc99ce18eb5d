// Internal to x402: the id of a JSON-RPC frame.
#pragma once

#include <string>

#include "ledger/json/value.h"

namespace tally::x402 {

// JSON text of the frame's id, type kept; numbers in the form JavaScript echoes them (2.0 is 2).
// JSON-RPC wants a string or a number: what else stands there names the call all the same, and a
// missing one is `null`.
std::string RequestIdOf(const json::Value& frame);

}  // namespace tally::x402

// A settlement as JSON and as cells: what scripts rely on. Every object has all keys; what is not
// known is null.
#pragma once

#include <string>
#include <vector>

#include "ledger/json/value.h"
#include "tallystick/v1/answer.pb.h"

namespace tally::cli {

// A row of `tally list`. `call` is set for what has no id but its call: `tally show --call` takes
// it.
json::Object SummaryJson(const tallystick::v1::Settlement& settlement);
// The same and all that `tally show` knows.
json::Object DetailJson(const tallystick::v1::Settlement& settlement, bool is_raw);

// The summary flat, for CSV.
std::vector<std::string> SummaryColumns();
std::vector<std::string> SummaryCells(const tallystick::v1::Settlement& settlement);

// Empty while nothing was presented: there is no authorization yet.
std::string LivenessWord(const tallystick::v1::Settlement& settlement);
// Words of the anomalies, with this between them.
std::string AnomalyWords(const tallystick::v1::Settlement& settlement, const char* separator);

}  // namespace tally::cli

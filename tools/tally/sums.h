// The sums of a view, in each form.
#pragma once

#include <optional>

#include "google/protobuf/repeated_ptr_field.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tools/tally/options.h"

namespace tally::cli {

// On stdout. JSON is an array of objects with all keys; amounts are atomic units in JSON and CSV.
void PrintSums(const google::protobuf::RepeatedPtrField<tallystick::v1::ExposureSum>& sums,
               Form form, std::optional<int> decimals);

}  // namespace tally::cli

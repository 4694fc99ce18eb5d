// Internal to service: what ran and is not known to be paid, and how much that is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "google/protobuf/repeated_field.h"
#include "ledger/settlement/answer.h"
#include "ledger/types/uint256.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// nullopt for what the view RAN_NOT_KNOWN_PAID does not hold: it did not run, it is settled, held
// or returned, or an adjusting entry closed it.
std::optional<v1::ExposureBucket> BucketOf(const settlement::Answer& answer);

class ExposureSums {
 public:
  // An amount that would overflow uint256 counts as unknown: one hostile offer must not hide the
  // other sums.
  void Add(v1::ExposureBucket bucket, const settlement::Answer& answer);
  // By network, asset and bucket.
  void ToProto(google::protobuf::RepeatedPtrField<v1::ExposureSum>* out) const;

 private:
  struct Sum {
    std::int64_t count = 0;
    std::int64_t unknown_count = 0;
    Uint256 amount;
  };
  std::map<std::tuple<std::string, std::string, v1::ExposureBucket>, Sum> sums_;
};

}  // namespace tally::service

#include "ledger/protocol/time_codec.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally::protocol {
namespace {

// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the range of google.protobuf.Timestamp.
constexpr std::int64_t kSecondsMin = -62'135'596'800;
constexpr std::int64_t kSecondsMax = 253'402'300'799;
constexpr std::int64_t kMicros = 1'000'000;

}  // namespace

void ToProto(absl::Time time, google::protobuf::Timestamp* out) {
  const std::int64_t micros = std::clamp(absl::ToUnixMicros(time), kSecondsMin * kMicros,
                                         kSecondsMax * kMicros + kMicros - 1);
  std::int64_t seconds = micros / kMicros;
  std::int64_t rest = micros % kMicros;
  if (rest < 0) {
    --seconds;
    rest += kMicros;
  }
  out->set_seconds(seconds);
  out->set_nanos(static_cast<std::int32_t>(rest * 1000));
}

absl::StatusOr<absl::Time> FromProto(absl::string_view field,
                                     const google::protobuf::Timestamp& time) {
  if (time.seconds() < kSecondsMin || time.seconds() > kSecondsMax) {
    return FieldError(field, absl::StrCat(time.seconds(), " seconds"), "a time of years 1 to 9999");
  }
  if (time.nanos() < 0 || time.nanos() > 999'999'999) {
    return FieldError(field, absl::StrCat(time.nanos(), " nanos"), "0 to 999999999 nanos");
  }
  return absl::FromUnixSeconds(time.seconds()) + absl::Microseconds(time.nanos() / 1000);
}

}  // namespace tally::protocol

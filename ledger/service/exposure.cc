#include "ledger/service/exposure.h"

namespace tally::service {
namespace {

using settlement::Execution;
using settlement::Liveness;
using settlement::Settlement;

bool IsDead(Liveness liveness) {
  return liveness == Liveness::kSpentByOther || liveness == Liveness::kCancelled ||
         liveness == Liveness::kExpiredUnused;
}

}  // namespace

std::optional<v1::ExposureBucket> BucketOf(const settlement::Answer& answer) {
  const Execution execution = answer.axes.execution.value;
  const Settlement settlement = answer.axes.settlement.value;
  if (answer.label == settlement::Label::kClosed) return std::nullopt;
  if (execution != Execution::kSucceeded && execution != Execution::kUnknown) return std::nullopt;
  if (settlement == Settlement::kSettled || settlement == Settlement::kHeld ||
      settlement == Settlement::kReturned) {
    return std::nullopt;
  }
  if (execution == Execution::kUnknown) return v1::EXPOSURE_BUCKET_UNKNOWN;
  const bool is_unpaid = settlement == Settlement::kFailed || IsDead(answer.axes.liveness.value);
  return is_unpaid ? v1::EXPOSURE_BUCKET_UNPAID : v1::EXPOSURE_BUCKET_OPEN;
}

void ExposureSums::Add(v1::ExposureBucket bucket, const settlement::Answer& answer) {
  Sum& sum = sums_[{answer.network, answer.asset, bucket}];
  ++sum.count;
  const absl::StatusOr<Uint256> amount = Uint256::Parse(answer.amount);
  const std::optional<Uint256> total = amount.ok() ? sum.amount.Plus(*amount) : std::nullopt;
  if (total.has_value()) {
    sum.amount = *total;
  } else {
    ++sum.unknown_count;
  }
}

void ExposureSums::ToProto(google::protobuf::RepeatedPtrField<v1::ExposureSum>* out) const {
  for (const auto& [key, sum] : sums_) {
    v1::ExposureSum* to = out->Add();
    to->set_network(std::get<0>(key));
    to->set_asset(std::get<1>(key));
    to->set_bucket(std::get<2>(key));
    to->set_count(sum.count);
    to->set_amount(sum.amount.ToString());
    to->set_amount_unknown_count(sum.unknown_count);
  }
}

}  // namespace tally::service

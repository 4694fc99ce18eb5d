#include "server/health.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ledger/base/error.h"

namespace tally::server {
namespace {

constexpr std::array<absl::string_view, 5> kServices = {
    "", "grpc.health.v1.Health", "tallystick.v1.LedgerService", "tallystick.v1.SettlementService",
    "tallystick.v1.AdminService"};

}  // namespace

absl::StatusOr<grpc::health::v1::HealthCheckResponse> Health::Check(
    const grpc::health::v1::HealthCheckRequest& request) {
  using Response = grpc::health::v1::HealthCheckResponse;
  if (std::find(kServices.begin(), kServices.end(), absl::string_view(request.service())) ==
      kServices.end()) {
    return absl::NotFoundError(absl::StrCat("no service ", request.service(), " here"));
  }
  const bool is_serving = !is_draining_ && store_.Health().ok();
  Response response;
  response.set_status(is_serving ? Response::SERVING : Response::NOT_SERVING);
  return response;
}

}  // namespace tally::server

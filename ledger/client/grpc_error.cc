#include "ledger/client/grpc_error.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/status_codec.h"

namespace tally::client {
namespace {

// What gRPC itself says, or a server that is not ours.
Error ErrorWithoutReason(const std::string& address, const grpc::Status& status) {
  const std::string said = status.error_message();
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return Error(Reason::kDeadlineExceeded,
                 absl::StrCat("no answer from ", address, " within the deadline"));
  }
  // A server that stops hard cancels what it still holds.
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE ||
      status.error_code() == grpc::StatusCode::CANCELLED) {
    return Error(Reason::kServerUnreachable,
                 absl::StrCat("no ledger answers at ", address, ": ", said));
  }
  if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    return Error(Reason::kLimitExceeded, absl::StrCat(address, ": ", said));
  }
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    return Error(Reason::kInternal,
                 absl::StrCat("the server at ", address, " is no ledger, or an older one: ", said));
  }
  return Error(Reason::kInternal, absl::StrCat(address, ": gRPC code ",
                                               static_cast<int>(status.error_code()), ": ", said));
}

}  // namespace

absl::Status FromGrpc(const std::string& address, const grpc::Status& status) {
  absl::Status decoded =
      protocol::DecodeStatus(status.error_code(), status.error_message(), status.error_details());
  if (ReasonOf(decoded).has_value()) return decoded;
  return ErrorWithoutReason(address, status).With("address", address);
}

}  // namespace tally::client

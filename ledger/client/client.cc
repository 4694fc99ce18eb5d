#include "ledger/client/client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/status_codec.h"
#include "tallystick/v1/admin_service.grpc.pb.h"
#include "tallystick/v1/ledger_service.grpc.pb.h"
#include "tallystick/v1/settlement_service.grpc.pb.h"

namespace tally::client {
namespace {

// Pages are bounded by the server; this only keeps a foreign server from filling our memory.
constexpr int kResponseBytesMax = 256 * 1024 * 1024;

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  // One connection a client: otherwise clients of one process share one, and wait for each other.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A proxy meant for the web must not carry signatures off this machine.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(kResponseBytesMax);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

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

absl::Status FromGrpc(const std::string& address, const grpc::Status& status) {
  absl::Status decoded =
      protocol::DecodeStatus(status.error_code(), status.error_message(), status.error_details());
  if (ReasonOf(decoded).has_value()) return decoded;
  return ErrorWithoutReason(address, status).With("address", address);
}

template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> Call(const std::string& address, const std::unique_ptr<Stub>& stub,
                              grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                           Response*),
                              const Request& request, absl::Duration deadline) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + deadline));
  Response response;
  const grpc::Status status = ((*stub).*method)(&context, request, &response);
  if (!status.ok()) return FromGrpc(address, status);
  return response;
}

}  // namespace

struct Client::Stubs {
  explicit Stubs(const std::shared_ptr<grpc::Channel>& channel)
      : ledger(v1::LedgerService::NewStub(channel)),
        settlement(v1::SettlementService::NewStub(channel)),
        admin(v1::AdminService::NewStub(channel)) {}

  const std::unique_ptr<v1::LedgerService::Stub> ledger;
  const std::unique_ptr<v1::SettlementService::Stub> settlement;
  const std::unique_ptr<v1::AdminService::Stub> admin;
};

Client::Client(absl::string_view address)
    : address_(address), stubs_(std::make_unique<Stubs>(Connect(address_))) {}

Client::~Client() = default;

absl::StatusOr<v1::ObserveResponse> Client::Observe(const v1::ObserveRequest& request,
                                                    absl::Duration deadline) {
  return Call(address_, stubs_->ledger, &v1::LedgerService::Stub::Observe, request, deadline);
}

absl::StatusOr<v1::RecordEventsResponse> Client::RecordEvents(
    const v1::RecordEventsRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->ledger, &v1::LedgerService::Stub::RecordEvents, request, deadline);
}

absl::StatusOr<v1::ClaimExecutionResponse> Client::ClaimExecution(
    const v1::ClaimExecutionRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->ledger, &v1::LedgerService::Stub::ClaimExecution, request,
              deadline);
}

absl::StatusOr<v1::GetSettlementResponse> Client::GetSettlement(
    const v1::GetSettlementRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->settlement, &v1::SettlementService::Stub::GetSettlement, request,
              deadline);
}

absl::StatusOr<v1::BatchGetSettlementsResponse> Client::BatchGetSettlements(
    const v1::BatchGetSettlementsRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->settlement, &v1::SettlementService::Stub::BatchGetSettlements,
              request, deadline);
}

absl::StatusOr<v1::ListSettlementsResponse> Client::ListSettlements(
    const v1::ListSettlementsRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->settlement, &v1::SettlementService::Stub::ListSettlements, request,
              deadline);
}

absl::StatusOr<v1::ReadEventsResponse> Client::ReadEvents(const v1::ReadEventsRequest& request,
                                                          absl::Duration deadline) {
  return Call(address_, stubs_->settlement, &v1::SettlementService::Stub::ReadEvents, request,
              deadline);
}

absl::StatusOr<v1::GetStatisticsResponse> Client::GetStatistics(
    const v1::GetStatisticsRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->settlement, &v1::SettlementService::Stub::GetStatistics, request,
              deadline);
}

absl::StatusOr<v1::CreateLedgerResponse> Client::CreateLedger(
    const v1::CreateLedgerRequest& request, absl::Duration deadline) {
  return Call(address_, stubs_->admin, &v1::AdminService::Stub::CreateLedger, request, deadline);
}

absl::StatusOr<v1::GetLedgerResponse> Client::GetLedger(const v1::GetLedgerRequest& request,
                                                        absl::Duration deadline) {
  return Call(address_, stubs_->admin, &v1::AdminService::Stub::GetLedger, request, deadline);
}

absl::StatusOr<v1::ListLedgersResponse> Client::ListLedgers(const v1::ListLedgersRequest& request,
                                                            absl::Duration deadline) {
  return Call(address_, stubs_->admin, &v1::AdminService::Stub::ListLedgers, request, deadline);
}

absl::StatusOr<v1::BackupResponse> Client::Backup(const v1::BackupRequest& request,
                                                  absl::Duration deadline) {
  return Call(address_, stubs_->admin, &v1::AdminService::Stub::Backup, request, deadline);
}

}  // namespace tally::client

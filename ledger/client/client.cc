#include "ledger/client/client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <atomic>
#include <optional>
#include <utility>

#include "ledger/client/grpc_error.h"
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

// What reading streams have in common: `Base` is Incoming or more, `Stream` gRPC's side of it.
template <typename Base, typename Response, typename Stream>
class Reading : public Base {
 public:
  ~Reading() override {
    context_.TryCancel();
    Response ignored;
    while (!is_over_ && stream_->Read(&ignored)) {
    }
    if (!is_over_) stream_->Finish();
  }

  absl::StatusOr<std::optional<Response>> Next() override {
    Response response;
    if (!is_over_ && stream_->Read(&response)) return std::optional(std::move(response));
    if (is_over_) return std::optional<Response>();
    is_over_ = true;
    const grpc::Status status = stream_->Finish();
    if (status.ok() || is_cancelled_) return std::optional<Response>();
    return FromGrpc(address_, status);
  }

  void Cancel() override {
    is_cancelled_ = true;
    context_.TryCancel();
  }

 protected:
  explicit Reading(std::string address) : address_(std::move(address)) {}

  const std::string address_;
  grpc::ClientContext context_;
  std::unique_ptr<Stream> stream_;

 private:
  bool is_over_ = false;
  std::atomic<bool> is_cancelled_ = false;
};

template <typename Response>
class Answer final : public Reading<Incoming<Response>, Response, grpc::ClientReader<Response>> {
 public:
  template <typename Stub, typename Request>
  Answer(std::string address, Stub& stub,
         std::unique_ptr<grpc::ClientReader<Response>> (Stub::*method)(grpc::ClientContext*,
                                                                       const Request&),
         const Request& request)
      : Reading<Incoming<Response>, Response, grpc::ClientReader<Response>>(std::move(address)) {
    this->stream_ = (stub.*method)(&this->context_, request);
  }
};

using RecordCall =
    grpc::ClientReaderWriter<v1::RecordEventStreamRequest, v1::RecordEventStreamResponse>;

class Recording final : public Reading<RecordStream, v1::RecordEventStreamResponse, RecordCall> {
 public:
  Recording(std::string address, v1::LedgerService::Stub& stub) : Reading(std::move(address)) {
    stream_ = stub.RecordEventStream(&context_);
  }

  bool Send(const v1::RecordEventsRequest& batch) override {
    *request_.mutable_batch() = batch;
    return stream_->Write(request_);
  }
  void SendEnd() override { stream_->WritesDone(); }

 private:
  v1::RecordEventStreamRequest request_;
};

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

std::unique_ptr<RecordStream> Client::RecordEventStream() {
  return std::make_unique<Recording>(address_, *stubs_->ledger);
}

std::unique_ptr<Incoming<v1::SubscribeEventsResponse>> Client::SubscribeEvents(
    const v1::SubscribeEventsRequest& request) {
  return std::make_unique<Answer<v1::SubscribeEventsResponse>>(
      address_, *stubs_->settlement, &v1::SettlementService::Stub::SubscribeEvents, request);
}

std::unique_ptr<Incoming<v1::WatchSettlementResponse>> Client::WatchSettlement(
    const v1::WatchSettlementRequest& request) {
  return std::make_unique<Answer<v1::WatchSettlementResponse>>(
      address_, *stubs_->settlement, &v1::SettlementService::Stub::WatchSettlement, request);
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

#include "tests/bench/load.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/security/credentials.h>

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"

namespace tally::bench {
namespace {

// More callers share connections, as threads of one client do.
constexpr std::size_t kConnections = 4;
constexpr absl::Duration kCallMax = absl::Seconds(30);

struct Caller {
  std::size_t number = 0;
  std::optional<grpc::ClientContext> context;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> call;
  grpc::ByteBuffer response;
  grpc::Status status;
  absl::Time sent;
};

}  // namespace

struct Load::Parts {
  const ServerProcess& server;
  std::vector<std::unique_ptr<grpc::GenericStub>> stubs;

  void Send(Workload& workload, const std::string& path, Caller& caller,
            grpc::CompletionQueue& queue) {
    grpc::ByteBuffer request;
    bool is_owned = false;
    grpc::SerializationTraits<google::protobuf::MessageLite>::Serialize(
        workload.Next(caller.number), &request, &is_owned);
    caller.context.emplace();
    caller.sent = absl::Now();
    caller.context->set_deadline(absl::ToChronoTime(caller.sent + kCallMax));
    caller.call = stubs[caller.number % stubs.size()]->PrepareUnaryCall(&*caller.context, path,
                                                                        request, &queue);
    caller.call->StartCall();
    caller.call->Finish(&caller.response, &caller.status, &caller);
  }
};

Load::Load(const ServerProcess& server) : parts_(new Parts{server, {}}) {
  // As the server does: neither side should pay for following the order of gRPC's locks.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  for (std::size_t i = 0; i < kConnections; ++i) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    parts_->stubs.push_back(std::make_unique<grpc::GenericStub>(grpc::CreateCustomChannel(
        server.address(), grpc::InsecureChannelCredentials(), arguments)));
  }
}

Load::~Load() = default;

absl::StatusOr<Figures> Load::Run(Workload& workload, std::size_t callers, absl::Duration warm_up,
                                  absl::Duration length) {
  const std::string path = workload.path();
  grpc::CompletionQueue queue;
  std::vector<Caller> all(callers);
  const absl::Time begin = absl::Now() + warm_up;
  const absl::Time end = begin + length;
  for (std::size_t i = 0; i < callers; ++i) {
    all[i].number = i;
    parts_->Send(workload, path, all[i], queue);
  }
  Meter meter;
  absl::Status failure;
  std::optional<absl::Duration> server_before;
  absl::Duration client_before;
  absl::Time counted_from;
  absl::Time last = begin;
  absl::Duration server_cpu;
  absl::Duration client_cpu;
  void* tag = nullptr;
  bool ok = false;
  for (std::size_t open = callers; open > 0 && queue.Next(&tag, &ok);) {
    Caller& caller = *static_cast<Caller*>(tag);
    const absl::Time now = absl::Now();
    if (!caller.status.ok() && failure.ok()) {
      failure = absl::UnknownError(absl::StrCat(path, ": ", caller.status.error_message()));
    }
    if (caller.status.ok()) workload.OnAnswer(caller.number);
    if (server_before.has_value() && now <= end) {
      meter.Add(now - caller.sent);
      last = now;
    } else if (!server_before.has_value() && now >= begin) {
      server_before = parts_->server.CpuTime();
      client_before = OwnCpuTime();
      counted_from = now;
    }
    if (now < end && failure.ok()) {
      parts_->Send(workload, path, caller, queue);
      continue;
    }
    if (open-- == callers && server_before.has_value()) {
      server_cpu = parts_->server.CpuTime() - *server_before;
      client_cpu = OwnCpuTime() - client_before;
    }
  }
  if (!failure.ok()) return failure;
  return meter.Finish(last - counted_from, workload.operations(), server_cpu, client_cpu);
}

}  // namespace tally::bench

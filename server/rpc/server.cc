#include "server/rpc/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "server/rpc/call.h"
#include "server/rpc/desk.h"
#include "server/rpc/hall.h"
#include "server/rpc/roster.h"
#include "server/rpc/stream.h"
#include "server/rpc/table_service.h"

namespace tally::server::rpc {
namespace {

// Of a drain, for streams to say their last word.
constexpr absl::Duration kLastWordMax = absl::Seconds(5);

// By service, in the order of the table.
std::vector<std::unique_ptr<TableService>> ServicesOf(std::vector<Method> methods) {
  std::map<std::string, std::vector<Method>> by_name;
  for (Method& method : methods) {
    by_name[method.path.substr(0, method.path.rfind('/'))].push_back(std::move(method));
  }
  std::vector<std::unique_ptr<TableService>> services;
  for (auto& [name, lines] : by_name) {
    services.push_back(std::make_unique<TableService>(std::move(lines)));
  }
  return services;
}

void Configure(const Server::Options& options, grpc::ServerBuilder& builder) {
  // Without this a second server shares the port of the first, and each gets half of the calls.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(options.request_bytes_max);
  builder.SetMaxSendMessageSize(-1);
  // Reflection alone is served by gRPC's own threads.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 1);
}

}  // namespace

struct Server::Parts {
  Parts(const Options& options, Executor& runs, std::vector<Method> methods)
      : services(ServicesOf(std::move(methods))),
        desk(options.calls_max, options.bytes_max),
        roster(options.streams_max),
        on_refused(options.on_refused),
        executor(runs) {}

  void ArmAll() {
    hall = std::make_unique<Hall>(Hall{*queue, executor, desk, roster, on_refused});
    for (const std::unique_ptr<TableService>& service : services) {
      for (std::size_t i = 0; i < service->size(); ++i) {
        const auto arm = service->method(i).begin ? &Stream::Arm : &Call::Arm;
        for (int n = 0; n < service->method(i).armed; ++n) arm(*hall, *service, i);
      }
    }
  }

  void Run() {
    void* tag = nullptr;
    bool ok = false;
    while (queue->Next(&tag, &ok)) static_cast<Tag*>(tag)->Proceed(ok);
  }

  std::vector<std::unique_ptr<TableService>> services;
  std::vector<std::string> addresses;
  Desk desk;
  Roster roster;
  const Refused on_refused;
  Executor& executor;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  std::unique_ptr<Hall> hall;
  std::unique_ptr<grpc::Server> server;
  std::thread thread;
  bool is_drained = false;
};

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const Options& options, Executor& executor,
                                                      std::vector<Method> methods) {
  for (const ListenAddress& address : options.listen) TALLY_RETURN_IF_ERROR(Prepare(address));
  // The packaged Abseil follows the order of all locks, gRPC's own among them: 4 % of a busy
  // server.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto parts = std::make_unique<Parts>(options, executor, std::move(methods));
  grpc::ServerBuilder builder;
  Configure(options, builder);
  std::vector<int> ports(options.listen.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    builder.AddListeningPort(options.listen[i].text(), grpc::InsecureServerCredentials(),
                             &ports[i]);
  }
  for (const std::unique_ptr<TableService>& service : parts->services) {
    builder.RegisterService(service.get());
  }
  parts->queue = builder.AddCompletionQueue();
  {
    const PrivateFiles only_ours;
    parts->server = builder.BuildAndStart();
  }
  if (parts->server == nullptr) {
    parts->queue->Shutdown();
    parts->Run();
    const auto failed = std::find(ports.begin(), ports.end(), 0) - ports.begin();
    const auto index = std::min(static_cast<std::size_t>(failed), ports.size() - 1);
    return WhyNotBound(options.listen[index]);
  }
  for (std::size_t i = 0; i < ports.size(); ++i) {
    parts->addresses.push_back(options.listen[i].WithPort(ports[i]));
  }
  parts->ArmAll();
  parts->thread = std::thread([running = parts.get()] { running->Run(); });
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  while (!Drain(absl::Minutes(1))) {
  }
  // No call is left that could still answer into the queue.
  parts_->queue->Shutdown();
  parts_->thread.join();
}

const std::vector<std::string>& Server::addresses() const { return parts_->addresses; }

bool Server::Drain(absl::Duration patience) {
  const absl::Time now = absl::Now();
  const absl::Time until = now + patience;
  const absl::Time cutoff = now + std::min(patience / 2, kLastWordMax);
  for (const std::weak_ptr<Stream>& each : parts_->roster.StartDraining()) {
    if (const std::shared_ptr<Stream> stream = each.lock()) stream->StartDraining(cutoff);
  }
  // Shutdown() waits for calls in flight, and cancels them only at `until`.
  if (!parts_->is_drained) parts_->server->Shutdown(absl::ToChronoTime(until));
  parts_->is_drained = true;
  // A cancelled call is still in the hands of its handler.
  const absl::Duration left = std::max(until - absl::Now(), absl::Milliseconds(100));
  return parts_->desk.AwaitNone(left) && parts_->roster.AwaitNone(left);
}

}  // namespace tally::server::rpc

// Internal to rpc: one call from the moment it is armed until its answer is on its way.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "server/rpc/desk.h"
#include "server/rpc/executor.h"
#include "server/rpc/method.h"
#include "server/rpc/table_service.h"

namespace tally::server::rpc {

using Refused = std::function<void(const std::string& path, const absl::Status& status)>;

// What all calls share. Outlives them.
struct Hall {
  grpc::ServerCompletionQueue& queue;
  Executor& executor;
  Desk& desk;
  const Refused& on_refused;
};

// The tag of the completion queue. Owns itself: it goes when its answer is sent, or when the server
// ends while it waits for a client.
class Call final : public Reply {
 public:
  // Waits for a client's next call of the method.
  static void Arm(const Hall& hall, TableService& service, std::size_t index);

  // On the queue's thread, whenever the tag comes out of it.
  void Proceed(bool ok);

  void Send(const google::protobuf::MessageLite& response) override;
  void Refuse(const absl::Status& status) override;

 private:
  enum class State { kArmed, kAnswered };

  Call(const Hall& hall, TableService& service, std::size_t index);
  ~Call() = default;
  void Start();
  void Handle();
  bool IsTooLate() const;

  const Hall& hall_;
  TableService& service_;
  const std::size_t index_;
  State state_ = State::kArmed;
  std::size_t request_bytes_ = 0;
  grpc::ServerContext context_;
  grpc::ByteBuffer request_;
  grpc::ServerAsyncResponseWriter<grpc::ByteBuffer> writer_;
};

}  // namespace tally::server::rpc

// Internal to rpc: one call with one answer, from the moment it is armed until that is on its way.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstddef>

#include "absl/status/status.h"
#include "server/rpc/hall.h"
#include "server/rpc/method.h"
#include "server/rpc/table_service.h"
#include "server/rpc/tag.h"

namespace tally::server::rpc {

// Owns itself: it goes when its answer is sent, or when the server ends while it waits for a
// client.
class Call final : public Reply, private Tag {
 public:
  // Waits for a client's next call of the method.
  static void Arm(const Hall& hall, TableService& service, std::size_t index);

  void Send(const google::protobuf::MessageLite& response) override;
  void Refuse(const absl::Status& status) override;

 private:
  enum class State { kArmed, kAnswered };

  Call(const Hall& hall, TableService& service, std::size_t index);
  ~Call() = default;
  void* tag() { return static_cast<Tag*>(this); }
  void Proceed(bool ok) override;
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

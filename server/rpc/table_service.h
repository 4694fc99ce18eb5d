// Internal to rpc: a gRPC service made from lines of the table instead of generated code. Its
// requests and answers are bytes, so that all methods take one way through the adapter; registered
// as a service, it is listed by reflection.
#pragma once

#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/async_unary_call.h>
#include <grpcpp/support/byte_buffer.h>

#include <utility>
#include <vector>

#include "server/rpc/method.h"

namespace tally::server::rpc {

class TableService final : public grpc::Service {
 public:
  // All of one service. This is what generated services do with their methods.
  explicit TableService(std::vector<Method> methods) : methods_(std::move(methods)) {
    int index = 0;
    for (const Method& method : methods_) {
      // On the wire one request with many answers is a conversation in which one side says little.
      const auto type = method.begin ? grpc::internal::RpcMethod::BIDI_STREAMING
                                     : grpc::internal::RpcMethod::NORMAL_RPC;
      // Owned by the base; the path must live as long.
      AddMethod(new grpc::internal::RpcServiceMethod(method.path.c_str(), type, nullptr));
      MarkMethodRaw(index++);
    }
  }

  std::size_t size() const { return methods_.size(); }
  const Method& method(std::size_t index) const { return methods_[index]; }

  // `tag` comes out of the queue when a client called, or when the server ends.
  void Request(std::size_t index, grpc::ServerContext& context, grpc::ByteBuffer& request,
               grpc::ServerAsyncResponseWriter<grpc::ByteBuffer>& writer,
               grpc::ServerCompletionQueue& queue, void* tag) {
    RequestAsyncUnary(static_cast<int>(index), &context, &request, &writer, &queue, &queue, tag);
  }
  // The same for a method with many messages.
  void RequestStream(std::size_t index, grpc::ServerContext& context,
                     grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>& stream,
                     grpc::ServerCompletionQueue& queue, void* tag) {
    RequestAsyncBidiStreaming(static_cast<int>(index), &context, &stream, &queue, &queue, tag);
  }

 private:
  const std::vector<Method> methods_;
};

}  // namespace tally::server::rpc

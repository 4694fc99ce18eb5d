// One RPC as a line of a table: its path, where it runs and what it calls. What an RPC does is
// known to its handler only; how calls come and go is known to server.h only.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"
#include "ledger/service/stream.h"

namespace tally::server::rpc {

// Answers one call: one of the two, once, from any thread. Neither blocks, and the object is not to
// be touched afterwards.
class Reply {
 public:
  virtual void Send(const google::protobuf::MessageLite& response) = 0;
  virtual void Refuse(const absl::Status& status) = 0;

 protected:
  ~Reply() = default;
};

enum class Runs {
  kInPlace,     // on the queue's thread: must neither block nor take long. Large requests don't.
  kOnExecutor,  // may block, as on reads of the disk
};

class Conversation;

struct Method {
  std::string path;  // /package.Service/Method
  Runs runs = Runs::kOnExecutor;
  // Calls that wait for a client at any time. More take a burst faster, but gRPC goes through all
  // of them on each completion.
  int armed = 4;
  // One of the two: a call with one answer, or one with many messages, see conversation.h. The
  // latter always runs on the executor, but for `begin`, which must not block.
  std::function<void(grpc::ByteBuffer& request, Reply& reply)> handle;
  std::function<std::unique_ptr<Conversation>(service::Wake wake)> begin = {};
};

// Reads the message out of `bytes`, which is empty then. FIELD_MALFORMED (field "request").
absl::Status Parse(grpc::ByteBuffer& bytes, google::protobuf::MessageLite& message);

template <typename Response>
void Answer(Reply& reply, const absl::StatusOr<Response>& response) {
  if (response.ok()) {
    reply.Send(*response);
  } else {
    reply.Refuse(response.status());
  }
}

// A use case that returns its answer.
template <typename Service, typename Request, typename Response>
Method Blocking(absl::string_view path, Service& service,
                absl::StatusOr<Response> (Service::*use_case)(const Request&), int armed) {
  return {std::string(path), Runs::kOnExecutor, armed,
          [&service, use_case](grpc::ByteBuffer& bytes, Reply& reply) {
            Request request;
            const absl::Status status = Parse(bytes, request);
            if (!status.ok()) return reply.Refuse(status);
            Answer(reply, (service.*use_case)(request));
          }};
}

// A use case that answers later, from another thread.
template <typename Service, typename Context, typename Request, typename Response>
Method Later(absl::string_view path, Runs runs, Service& service,
             void (Service::*use_case)(const Context&, Request,
                                       std::function<void(absl::StatusOr<Response>)>),
             Context context, int armed) {
  return {
      std::string(path), runs, armed,
      [&service, use_case, context = std::move(context)](grpc::ByteBuffer& bytes, Reply& reply) {
        std::remove_cvref_t<Request> request;
        const absl::Status status = Parse(bytes, request);
        if (!status.ok()) return reply.Refuse(status);
        (service.*use_case)(
            context, std::move(request),
            [&reply](absl::StatusOr<Response> response) { Answer(reply, response); });
      }};
}

}  // namespace tally::server::rpc

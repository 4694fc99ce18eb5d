// Use cases with many messages as lines of the table.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "ledger/base/error.h"
#include "ledger/service/stream.h"
#include "server/rpc/method.h"

namespace tally::server::rpc {

// One call as the adapter drives it: one function at a time, on the executor.
class Conversation {
 public:
  virtual ~Conversation() = default;
  // Whether another message is to be read from the client.
  virtual bool HasRoom() = 0;
  virtual void Take(grpc::ByteBuffer& message) = 0;
  virtual void TakeEnd() = 0;
  // As service::Outgoing.
  virtual service::Pulled Pull() = 0;
  virtual void Drain() = 0;
};

// Many answers to one request.
template <typename Request>
class Answering final : public Conversation {
 public:
  using Open = std::function<absl::StatusOr<std::unique_ptr<service::Outgoing>>(const Request&)>;
  explicit Answering(Open open) : open_(std::move(open)) {}

  bool HasRoom() override { return answer_.ok() && *answer_ == nullptr; }
  void Take(grpc::ByteBuffer& message) override {
    if (!HasRoom()) return;  // the end came first
    Request request;
    const absl::Status status = Parse(message, request);
    answer_ = status.ok() ? open_(request) : status;
  }
  void TakeEnd() override {
    if (!HasRoom()) return;  // as it should be: one request, and no more
    answer_ = Error(Reason::kFieldMissing, "request: saw nothing, wanted a message")
                  .With("field", "request");
  }
  service::Pulled Pull() override {
    if (!answer_.ok()) return service::End{answer_.status()};
    return *answer_ == nullptr ? service::Pause() : (*answer_)->Pull();
  }
  void Drain() override {
    if (HasRoom()) answer_ = Error(Reason::kStoreStopped, "the server is shutting down");
    if (answer_.ok()) (*answer_)->Drain();
  }

 private:
  const Open open_;
  // Nothing yet, why there is none, or what is pulled.
  absl::StatusOr<std::unique_ptr<service::Outgoing>> answer_ = nullptr;
};

// Answers to requests as they come.
template <typename Request>
class Conversing final : public Conversation {
 public:
  explicit Conversing(std::unique_ptr<service::Dialogue<Request>> dialogue)
      : dialogue_(std::move(dialogue)) {}

  bool HasRoom() override { return dialogue_->HasRoom(); }
  void Take(grpc::ByteBuffer& message) override {
    Request request;
    absl::Status status = Parse(message, request);
    if (status.ok()) {
      dialogue_->Take(std::move(request));
    } else {
      dialogue_->Take(std::move(status));
    }
  }
  void TakeEnd() override { dialogue_->TakeEnd(); }
  service::Pulled Pull() override { return dialogue_->Pull(); }
  void Drain() override { dialogue_->Drain(); }

 private:
  const std::unique_ptr<service::Dialogue<Request>> dialogue_;
};

// A use case that answers one request with many messages.
template <typename Service, typename Request>
Method Streaming(absl::string_view path, Service& service,
                 absl::StatusOr<std::unique_ptr<service::Outgoing>> (Service::*use_case)(
                     const Request&, service::Wake),
                 int armed) {
  Method method{std::string(path), Runs::kOnExecutor, armed, nullptr};
  method.begin = [&service, use_case](service::Wake wake) -> std::unique_ptr<Conversation> {
    return std::make_unique<Answering<Request>>(
        [&service, use_case, wake = std::move(wake)](const Request& request) {
          return (service.*use_case)(request, wake);
        });
  };
  return method;
}

// A use case that takes many requests and answers each.
template <typename Service, typename Context, typename Request>
Method TwoWay(absl::string_view path, Service& service,
              std::unique_ptr<service::Dialogue<Request>> (Service::*use_case)(const Context&,
                                                                               service::Wake),
              Context context, int armed) {
  Method method{std::string(path), Runs::kOnExecutor, armed, nullptr};
  method.begin = [&service, use_case, context = std::move(context)](
                     service::Wake wake) -> std::unique_ptr<Conversation> {
    return std::make_unique<Conversing<Request>>((service.*use_case)(context, std::move(wake)));
  };
  return method;
}

}  // namespace tally::server::rpc

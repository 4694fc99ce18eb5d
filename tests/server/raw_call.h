// Calls for which the client has no method: health, reflection, and methods of a test's own.
#pragma once

#include <grpcpp/support/status.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "google/protobuf/message_lite.h"

namespace tally::server {

// A unary call by its path.
grpc::Status RawCall(const std::string& address, const std::string& path,
                     const google::protobuf::MessageLite& request,
                     google::protobuf::MessageLite* response,
                     absl::Duration deadline = absl::Seconds(20));

// The answer of the reflection service to one request, both in wire bytes.
std::string Reflect(const std::string& address, const std::string& request);

// A call with many messages. Each function blocks until it is done.
class RawStream {
 public:
  RawStream(const std::string& address, const std::string& path);
  // Cancels what is not finished.
  ~RawStream();
  RawStream(const RawStream&) = delete;
  RawStream& operator=(const RawStream&) = delete;

  // False when the server takes no more.
  bool Write(const std::string& bytes);
  bool WriteEnd();
  // nullopt when there are no more.
  std::optional<std::string> Read();
  void Cancel();
  grpc::Status Finish();

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

// A call that goes on until this is gone: nothing a server does makes it end by itself.
class HeldCall {
 public:
  explicit HeldCall(const std::string& address);
  ~HeldCall();
  HeldCall(const HeldCall&) = delete;
  HeldCall& operator=(const HeldCall&) = delete;

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace tally::server

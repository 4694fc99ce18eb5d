#include "server/rpc/method.h"

#include <grpcpp/support/proto_buffer_reader.h>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally::server::rpc {

absl::Status Parse(grpc::ByteBuffer& bytes, google::protobuf::MessageLite& message) {
  bool is_read = true;
  if (bytes.Valid()) {
    grpc::ProtoBufferReader reader(&bytes);
    is_read = reader.status().ok() && message.ParseFromZeroCopyStream(&reader);
  }
  bytes.Clear();
  if (is_read) return absl::OkStatus();
  const std::string wanted = absl::StrCat("bytes of ", message.GetTypeName());
  return Error(Reason::kFieldMalformed,
               absl::StrCat("request: saw bytes that can't be read, wanted ", wanted))
      .With("field", "request")
      .With("wanted", wanted);
}

}  // namespace tally::server::rpc

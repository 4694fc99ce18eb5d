#include "tests/server/raw_call.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/security/credentials.h>

#include <memory>
#include <vector>

namespace tally::server {
namespace {

bool Await(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool ok = false;
  return queue.Next(&tag, &ok) && ok;
}

std::string BytesOf(const grpc::ByteBuffer& buffer) {
  std::string bytes;
  std::vector<grpc::Slice> slices;
  buffer.Dump(&slices);
  for (const grpc::Slice& part : slices) {
    bytes.append(reinterpret_cast<const char*>(part.begin()), part.size());
  }
  return bytes;
}

constexpr char kReflection[] = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";

std::unique_ptr<grpc::GenericStub> StubOf(const std::string& address) {
  return std::make_unique<grpc::GenericStub>(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
}

}  // namespace

grpc::Status RawCall(const std::string& address, const std::string& path,
                     const google::protobuf::MessageLite& request,
                     google::protobuf::MessageLite* response, absl::Duration deadline) {
  using Traits = grpc::SerializationTraits<google::protobuf::MessageLite>;
  grpc::ByteBuffer sent;
  bool is_owned = false;
  Traits::Serialize(request, &sent, &is_owned);
  const auto stub = StubOf(address);
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + deadline));
  const auto call = stub->PrepareUnaryCall(&context, path, sent, &queue);
  grpc::ByteBuffer received;
  grpc::Status status;
  call->StartCall();
  call->Finish(&received, &status, nullptr);
  Await(queue);
  if (status.ok() && response != nullptr) return Traits::Deserialize(&received, response);
  return status;
}

struct RawStream::Parts {
  std::unique_ptr<grpc::GenericStub> stub;
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
  bool is_finished = false;
};

RawStream::RawStream(const std::string& address, const std::string& path)
    : parts_(std::make_unique<Parts>()) {
  parts_->stub = StubOf(address);
  parts_->context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Minutes(1)));
  parts_->stream = parts_->stub->PrepareCall(&parts_->context, path, &parts_->queue);
  parts_->stream->StartCall(nullptr);
  Await(parts_->queue);
}

RawStream::~RawStream() {
  Cancel();
  if (!parts_->is_finished) Finish();
}

bool RawStream::Write(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  parts_->stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  return Await(parts_->queue);
}

bool RawStream::WriteEnd() {
  parts_->stream->WritesDone(nullptr);
  return Await(parts_->queue);
}

std::optional<std::string> RawStream::Read() {
  grpc::ByteBuffer response;
  parts_->stream->Read(&response, nullptr);
  if (!Await(parts_->queue)) return std::nullopt;
  return BytesOf(response);
}

void RawStream::Cancel() { parts_->context.TryCancel(); }

grpc::Status RawStream::Finish() {
  parts_->is_finished = true;
  grpc::Status status;
  parts_->stream->Finish(&status, nullptr);
  Await(parts_->queue);
  return status;
}

std::string Reflect(const std::string& address, const std::string& request) {
  const auto stub = StubOf(address);
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Seconds(20)));
  const auto call = stub->PrepareCall(&context, kReflection, &queue);
  call->StartCall(nullptr);
  if (!Await(queue)) return "";
  const grpc::Slice slice(request);
  call->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
  if (!Await(queue)) return "";
  grpc::ByteBuffer response;
  call->Read(&response, nullptr);
  const std::string bytes = Await(queue) ? BytesOf(response) : "";
  grpc::Status status;
  call->Finish(&status, nullptr);
  Await(queue);
  return bytes;
}

struct HeldCall::Parts {
  std::unique_ptr<grpc::GenericStub> stub;
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
};

HeldCall::HeldCall(const std::string& address) : parts_(std::make_unique<Parts>()) {
  parts_->stub = StubOf(address);
  parts_->stream = parts_->stub->PrepareCall(&parts_->context, kReflection, &parts_->queue);
  parts_->stream->StartCall(nullptr);
  Await(parts_->queue);
  // An answer shows that the server has it.
  const grpc::Slice slice("\x3a\x01*");
  parts_->stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  Await(parts_->queue);
  grpc::ByteBuffer response;
  parts_->stream->Read(&response, nullptr);
  Await(parts_->queue);
}

HeldCall::~HeldCall() {
  parts_->context.TryCancel();
  grpc::Status status;
  parts_->stream->Finish(&status, nullptr);
  Await(parts_->queue);
}

}  // namespace tally::server

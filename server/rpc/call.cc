#include "server/rpc/call.h"

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/status.h>

#include <chrono>

#include "ledger/base/error.h"
#include "server/rpc/grpc_status.h"

namespace tally::server::rpc {
namespace {

// What takes longer to read than a client should wait for another's.
constexpr std::size_t kInPlaceBytesMax = 64 * 1024;

absl::Status Overloaded() {
  return Error(Reason::kOverloaded, "too many calls at once; try again a little later");
}

}  // namespace

Call::Call(const Hall& hall, TableService& service, std::size_t index)
    : hall_(hall), service_(service), index_(index), writer_(&context_) {}

void Call::Arm(const Hall& hall, TableService& service, std::size_t index) {
  auto* call = new Call(hall, service, index);
  service.Request(index, call->context_, call->request_, call->writer_, hall.queue, call->tag());
}

void Call::Proceed(bool ok) {
  if (state_ == State::kArmed && ok) {
    Arm(hall_, service_, index_);
    return Start();
  }
  // A client that went away while it was answered is no concern of ours: what was done is done.
  if (state_ == State::kAnswered) hall_.desk.Leave(request_bytes_);
  delete this;
}

void Call::Start() {
  request_bytes_ = request_.Length();
  if (!hall_.desk.Enter(request_bytes_)) return Refuse(Overloaded());
  const bool is_in_place =
      service_.method(index_).runs == Runs::kInPlace && request_bytes_ <= kInPlaceBytesMax;
  if (is_in_place) return Handle();
  if (!hall_.executor.Submit([this] { Handle(); })) Refuse(Overloaded());
}

void Call::Handle() {
  // Nobody waits for the answer any more: not doing it is better than doing it for nobody.
  if (IsTooLate()) {
    return Refuse(Error(Reason::kDeadlineExceeded, "the deadline was over before the call began"));
  }
  service_.method(index_).handle(request_, *this);
}

bool Call::IsTooLate() const { return context_.deadline() <= std::chrono::system_clock::now(); }

void Call::Send(const google::protobuf::MessageLite& response) {
  grpc::ByteBuffer bytes;
  bool is_owned = false;
  const grpc::Status status = grpc::SerializationTraits<google::protobuf::MessageLite>::Serialize(
      response, &bytes, &is_owned);
  // From here on the queue's thread may delete this at any time.
  state_ = State::kAnswered;
  if (status.ok()) {
    writer_.Finish(bytes, grpc::Status::OK, tag());
  } else {
    writer_.FinishWithError(status, tag());
  }
}

void Call::Refuse(const absl::Status& status) {
  if (hall_.on_refused) hall_.on_refused(service_.method(index_).path, status);
  const grpc::Status refusal = ToGrpc(status);
  state_ = State::kAnswered;
  writer_.FinishWithError(refusal, tag());
}

}  // namespace tally::server::rpc

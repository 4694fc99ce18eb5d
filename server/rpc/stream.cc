#include "server/rpc/stream.h"

#include <string>
#include <variant>

#include "server/rpc/grpc_status.h"

namespace tally::server::rpc {
namespace {

// Takes the bytes over without copying them.
grpc::ByteBuffer BufferOf(std::string bytes) {
  auto* owned = new std::string(std::move(bytes));
  const grpc::Slice slice(
      owned->data(), owned->size(), [](void* owner) { delete static_cast<std::string*>(owner); },
      owned);
  return grpc::ByteBuffer(&slice, 1);
}

}  // namespace

Stream::Stream(const Hall& hall, TableService& service, std::size_t index)
    : hall_(hall), service_(service), index_(index), stream_(&context_) {}

void Stream::Arm(const Hall& hall, TableService& service, std::size_t index) {
  const auto stream = std::make_shared<Stream>(hall, service, index);
  stream->context_.AsyncNotifyWhenDone(stream->lasting_.Begin(stream));
  service.RequestStream(index, stream->context_, stream->stream_, hall.queue,
                        stream->arriving_.Begin(stream));
}

void Stream::OnArrived(bool ok) {
  // The server ends and no client came: then gRPC never says that the call is over.
  if (!ok) return lasting_.Forget();
  Arm(hall_, service_, index_);
  seat_.emplace(hall_.roster, weak_from_this());
  const absl::Status admitted = hall_.roster.Admit();
  if (!admitted.ok()) return Finish(admitted);
  conversation_ = service_.method(index_).begin([stream = weak_from_this()] {
    if (const std::shared_ptr<Stream> alive = stream.lock()) alive->Wake();
  });
  const MutexLock lock(mutex_);
  is_working_ = false;
  Kick();
}

void Stream::OnRead(bool ok) {
  const MutexLock lock(mutex_);
  is_reading_ = false;
  has_message_ = ok;
  is_read_out_ = !ok;
  Kick();
}

void Stream::OnWritten(bool ok) {
  const MutexLock lock(mutex_);
  is_writing_ = false;
  is_gone_ = is_gone_ || !ok;
  Kick();
}

void Stream::OnAlarm(bool /*ok*/) {
  const MutexLock lock(mutex_);
  is_alarm_set_ = false;
  if (is_finished_) return;
  if (cutoff_.has_value() && absl::Now() >= *cutoff_) {
    context_.TryCancel();
  } else if (cutoff_.has_value()) {
    SetAlarm(*cutoff_);
  }
  is_woken_ = true;
  Kick();
}

void Stream::OnFinished(bool /*ok*/) {}

void Stream::OnOver(bool /*ok*/) {
  const MutexLock lock(mutex_);
  is_gone_ = true;
  Kick();
}

void Stream::StartDraining(absl::Time cutoff) {
  const MutexLock lock(mutex_);
  cutoff_ = cutoff;
  Kick();
}

void Stream::Wake() {
  const MutexLock lock(mutex_);
  is_woken_ = true;
  // What is being written has to go first, and pulls the next.
  if (!is_writing_) Kick();
}

void Stream::Kick() {
  if (is_working_ || is_finished_) return;
  is_working_ = true;
  hall_.executor.Post([stream = shared_from_this()] { stream->Work(); });
}

void Stream::Work() {
  for (Step step = NextStep(); step != Step::kNothing; step = NextStep()) Perform(step);
}

Stream::Step Stream::NextStep() {
  const MutexLock lock(mutex_);
  if (!is_finished_ && is_gone_ && !is_writing_) return Step::kLeave;
  if (!is_finished_ && !is_gone_) {
    if (cutoff_.has_value() && !is_drain_told_) return Step::kDrain;
    if (has_message_) return Step::kTake;
    if (is_read_out_ && !is_end_taken_) return Step::kTakeEnd;
    const bool may_read = !is_reading_ && !is_read_out_ && !cutoff_.has_value();
    if (may_read && conversation_->HasRoom()) return Step::kRead;
    if (is_woken_ && !is_writing_) return Step::kPull;
  }
  is_working_ = false;
  return Step::kNothing;
}

void Stream::Perform(Step step) {
  switch (step) {
    case Step::kLeave:
      return Finish(absl::CancelledError("the client is gone"));
    case Step::kDrain:
      return Drain();
    case Step::kTake:
      conversation_->Take(incoming_);
      break;
    case Step::kTakeEnd:
      conversation_->TakeEnd();
      break;
    case Step::kRead:
      return Read();
    case Step::kPull:
      return Pull();
    case Step::kNothing:
      return;
  }
  const MutexLock lock(mutex_);
  has_message_ = false;
  is_end_taken_ = step == Step::kTakeEnd;
  is_woken_ = true;
}

void Stream::Drain() {
  conversation_->Drain();
  const MutexLock lock(mutex_);
  is_drain_told_ = true;
  is_woken_ = true;
  SetAlarm(*cutoff_);
}

void Stream::Read() {
  {
    const MutexLock lock(mutex_);
    is_reading_ = true;
  }
  stream_.Read(&incoming_, reading_.Begin(shared_from_this()));
}

void Stream::Pull() {
  {
    const MutexLock lock(mutex_);
    is_woken_ = false;
  }
  service::Pulled pulled = conversation_->Pull();
  if (auto* bytes = std::get_if<std::string>(&pulled)) return Write(std::move(*bytes));
  if (const auto* end = std::get_if<service::End>(&pulled)) return Finish(end->status);
  const MutexLock lock(mutex_);
  SetAlarm(std::get<service::Pause>(pulled).until);
}

void Stream::Write(std::string bytes) {
  {
    const MutexLock lock(mutex_);
    is_writing_ = true;
    is_woken_ = true;
  }
  stream_.Write(BufferOf(std::move(bytes)), writing_.Begin(shared_from_this()));
}

void Stream::Finish(const absl::Status& status) {
  conversation_.reset();
  bool is_refusal = !status.ok();
  {
    const MutexLock lock(mutex_);
    is_finished_ = true;
    is_refusal = is_refusal && !is_gone_;
    if (is_alarm_set_) alarm_.Cancel();
  }
  if (is_refusal && hall_.on_refused) hall_.on_refused(service_.method(index_).path, status);
  stream_.Finish(ToGrpc(status), finishing_.Begin(shared_from_this()));
}

void Stream::SetAlarm(absl::Time time) {
  if (is_finished_ || time == absl::InfiniteFuture()) return;
  if (is_alarm_set_) {
    // Comes at once, and whoever is woken by it sets it anew.
    if (time < alarm_time_) alarm_.Cancel();
    return;
  }
  is_alarm_set_ = true;
  alarm_time_ = time;
  alarm_.Set(&hall_.queue, absl::ToChronoTime(time), alarming_.Begin(shared_from_this()));
}

}  // namespace tally::server::rpc

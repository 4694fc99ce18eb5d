// Internal to rpc: one call with many messages, from the moment it is armed until its end is on its
// way. At most one message is read ahead and one written; the conversation runs on the executor,
// one function at a time.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <optional>
#include <utility>

#include "ledger/base/mutex.h"
#include "server/rpc/conversation.h"
#include "server/rpc/hall.h"
#include "server/rpc/roster.h"
#include "server/rpc/table_service.h"
#include "server/rpc/tag.h"

namespace tally::server::rpc {

// Lives while an operation or a task has it.
class Stream final : public std::enable_shared_from_this<Stream> {
 public:
  // Waits for a client's next call of the method.
  static void Arm(const Hall& hall, TableService& service, std::size_t index);

  Stream(const Hall& hall, TableService& service, std::size_t index);

  // Has the conversation say its last word, and cuts the call off at `cutoff`: a client that does
  // not read must not keep the server. From any thread.
  void StartDraining(absl::Time cutoff);

 private:
  // One kind of operation, of which one at a time is under way; meanwhile it keeps the stream.
  class Operation final : public Tag {
   public:
    explicit Operation(void (Stream::*then)(bool ok)) : then_(then) {}
    // The tag to begin it with.
    void* Begin(std::shared_ptr<Stream> stream) {
      stream_ = std::move(stream);
      return static_cast<Tag*>(this);
    }
    // It was begun, and its tag will never come.
    void Forget() { stream_.reset(); }
    void Proceed(bool ok) override {
      const std::shared_ptr<Stream> stream = std::move(stream_);
      ((*stream).*then_)(ok);
    }

   private:
    void (Stream::*const then_)(bool);
    std::shared_ptr<Stream> stream_;
  };

  // On the queue's thread.
  void OnArrived(bool ok);
  void OnRead(bool ok);
  void OnWritten(bool ok);
  void OnAlarm(bool ok);
  void OnFinished(bool ok);
  void OnOver(bool ok);

  // Has Work() run, unless it does or is about to.
  void Kick() TALLY_REQUIRES(mutex_);
  void Wake();
  // On the executor: whatever there is to do.
  void Work();
  enum class Step { kNothing, kLeave, kDrain, kTake, kTakeEnd, kRead, kPull };
  Step NextStep();
  void Perform(Step step);
  void Drain();
  void Read();
  void Pull();
  void Write(std::string bytes);
  void Finish(const absl::Status& status);
  // Wakes the stream at that time or before; only the earliest counts.
  void SetAlarm(absl::Time time) TALLY_REQUIRES(mutex_);

  std::optional<Roster::Seat> seat_;  // first: it goes last
  const Hall& hall_;
  TableService& service_;
  const std::size_t index_;
  grpc::ServerContext context_;
  grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer> stream_;
  grpc::ByteBuffer incoming_;
  grpc::Alarm alarm_;
  std::unique_ptr<Conversation> conversation_;  // Work() alone uses it

  Operation arriving_{&Stream::OnArrived};
  Operation reading_{&Stream::OnRead};
  Operation writing_{&Stream::OnWritten};
  Operation alarming_{&Stream::OnAlarm};
  Operation finishing_{&Stream::OnFinished};
  Operation lasting_{&Stream::OnOver};

  Mutex mutex_;
  bool is_working_ TALLY_GUARDED_BY(mutex_) = true;     // Work() runs or is about to, or can't yet
  bool is_woken_ TALLY_GUARDED_BY(mutex_) = true;       // there may be something to pull
  bool is_reading_ TALLY_GUARDED_BY(mutex_) = false;    // into incoming_
  bool has_message_ TALLY_GUARDED_BY(mutex_) = false;   // in incoming_, not taken yet
  bool is_read_out_ TALLY_GUARDED_BY(mutex_) = false;   // the client sends no more
  bool is_end_taken_ TALLY_GUARDED_BY(mutex_) = false;  // and the conversation knows
  bool is_writing_ TALLY_GUARDED_BY(mutex_) = false;
  bool is_alarm_set_ TALLY_GUARDED_BY(mutex_) = false;
  absl::Time alarm_time_ TALLY_GUARDED_BY(mutex_);
  bool is_gone_ TALLY_GUARDED_BY(mutex_) = false;      // the client takes no more
  bool is_finished_ TALLY_GUARDED_BY(mutex_) = false;  // the end is on its way
  std::optional<absl::Time> cutoff_ TALLY_GUARDED_BY(mutex_);
  bool is_drain_told_ TALLY_GUARDED_BY(mutex_) = false;
};

}  // namespace tally::server::rpc

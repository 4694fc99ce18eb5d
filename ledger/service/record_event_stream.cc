// Batches of one stream go through RecordEvents one after the other; what comes back in any order
// is answered in theirs.
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ledger/base/mutex.h"
#include "ledger/protocol/status_codec.h"
#include "ledger/service/ledger_service.h"

namespace tally::service {
namespace {

constexpr std::size_t kBatchesMax = 32;
constexpr std::size_t kBytesMax = std::size_t{8} * 1024 * 1024;

using Recorded = absl::StatusOr<v1::RecordEventsResponse>;

// Batches without an answer, by number. Thread-safe; outlives the stream while some are in flight.
class Window {
 public:
  explicit Window(Wake wake) : wake_(std::move(wake)) {}

  bool HasRoom() {
    const MutexLock lock(mutex_);
    return slots_.size() < kBatchesMax && bytes_ < kBytesMax;
  }
  bool IsEmpty() {
    const MutexLock lock(mutex_);
    return slots_.empty();
  }
  // The number of the batch.
  std::int64_t Open(std::string request_id, std::size_t bytes) {
    const MutexLock lock(mutex_);
    bytes_ += bytes;
    slots_.push_back({std::move(request_id), bytes, std::nullopt});
    return first_ + static_cast<std::int64_t>(slots_.size()) - 1;
  }
  void Answer(std::int64_t number, Recorded recorded) {
    {
      const MutexLock lock(mutex_);
      slots_[static_cast<std::size_t>(number - first_)].recorded = std::move(recorded);
    }
    wake_();
  }
  // Takes the answer to the first batch out; nullopt while there is none.
  std::optional<v1::RecordEventStreamResponse> TakeFirst() {
    const MutexLock lock(mutex_);
    if (slots_.empty() || !slots_.front().recorded.has_value()) return std::nullopt;
    Slot& slot = slots_.front();
    v1::RecordEventStreamResponse response;
    response.set_batch_number(first_++);
    response.set_request_id(slot.request_id);
    if (slot.recorded->ok()) {
      *response.mutable_recorded() = *std::move(*slot.recorded);
    } else {
      protocol::ToProto(slot.recorded->status(), response.mutable_refused());
    }
    bytes_ -= slot.bytes;
    slots_.pop_front();
    return response;
  }

 private:
  struct Slot {
    std::string request_id;
    std::size_t bytes = 0;
    std::optional<Recorded> recorded;
  };

  const Wake wake_;
  Mutex mutex_;
  std::int64_t first_ TALLY_GUARDED_BY(mutex_) = 1;  // number of the first slot
  std::deque<Slot> slots_ TALLY_GUARDED_BY(mutex_);
  std::size_t bytes_ TALLY_GUARDED_BY(mutex_) = 0;
};

class Recording final : public Dialogue<v1::RecordEventStreamRequest> {
 public:
  Recording(LedgerService& service, CallContext context, Wake wake)
      : service_(service),
        context_(std::move(context)),
        window_(std::make_shared<Window>(std::move(wake))) {}

  bool HasRoom() override { return !is_last_taken_ && !is_draining_ && window_->HasRoom(); }

  void Take(absl::StatusOr<v1::RecordEventStreamRequest> request) override {
    if (!request.ok()) return window_->Answer(window_->Open("", 0), request.status());
    const v1::RecordEventsRequest& batch = request->batch();
    const std::int64_t number = window_->Open(batch.request_id(), batch.ByteSizeLong());
    service_.RecordEvents(context_, batch, [window = window_, number](Recorded recorded) {
      window->Answer(number, std::move(recorded));
    });
  }

  void TakeEnd() override { is_last_taken_ = true; }

  Pulled Pull() override {
    const std::optional<v1::RecordEventStreamResponse> answer = window_->TakeFirst();
    if (answer.has_value()) return answer->SerializeAsString();
    const bool is_more_to_come = !is_last_taken_ && !is_draining_;
    if (is_more_to_come || !window_->IsEmpty()) return Pause();
    if (is_last_taken_ || is_over_) return End{absl::OkStatus()};
    is_over_ = true;
    v1::RecordEventStreamResponse draining;
    draining.mutable_draining();
    return draining.SerializeAsString();
  }

  void Drain() override { is_draining_ = true; }

 private:
  LedgerService& service_;
  const CallContext context_;
  const std::shared_ptr<Window> window_;
  bool is_last_taken_ = false;
  bool is_draining_ = false;
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<Dialogue<v1::RecordEventStreamRequest>> LedgerService::RecordEventStream(
    const CallContext& context, Wake wake) {
  return std::make_unique<Recording>(*this, context, std::move(wake));
}

}  // namespace tally::service

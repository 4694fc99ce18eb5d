// Use cases that write: observing, recording, claiming. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ledger/base/mutex.h"
#include "ledger/service/context.h"
#include "ledger/service/stream.h"
#include "ledger/store/event_store.h"
#include "tallystick/v1/ledger_service.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Called exactly once: on the store's writer thread once all is on disk, or on the caller's when
// nothing had to be written. Must not block.
template <typename Response>
using Done = std::function<void(absl::StatusOr<Response>)>;

// Errors are those named at the RPCs. Each call may block on reads of the store, never on its
// writes.
class LedgerService {
 public:
  // Both must outlive this, and every call.
  LedgerService(store::EventStore& store, IdSource& ids);
  ~LedgerService();

  void Observe(const CallContext& context, v1::ObserveRequest request,
               Done<v1::ObserveResponse> done);
  void RecordEvents(const CallContext& context, const v1::RecordEventsRequest& request,
                    Done<v1::RecordEventsResponse> done);
  // Each batch as RecordEvents does it. Messages out are v1.RecordEventStreamResponse. This must
  // outlive the stream.
  std::unique_ptr<Dialogue<v1::RecordEventStreamRequest>> RecordEventStream(
      const CallContext& context, Wake wake);
  void ClaimExecution(const CallContext& context, const v1::ClaimExecutionRequest& request,
                      Done<v1::ClaimExecutionResponse> done);

 private:
  struct Book;  // a ledger with its correlation memory
  absl::StatusOr<std::shared_ptr<Book>> OpenBook(const std::string& name);

  store::EventStore& store_;
  IdSource& ids_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Book>> books_ TALLY_GUARDED_BY(mutex_);
};

}  // namespace tally::service

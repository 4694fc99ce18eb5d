// Use cases with many messages. They are pulled: no message is made before the reader has room for
// it, so that a slow reader costs one message, and holds up nobody.
#pragma once

#include <functional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tally::service {

// Says that a stream may have something to pull. From any thread; may come in vain, and once more
// after the stream is gone. Must not block.
using Wake = std::function<void()>;

// Runs the task soon, on a thread that may block. Neither blocks nor refuses.
using Run = std::function<void(std::function<void()> task)>;

// Nothing to send: to be pulled again when woken, or at `until` by the clock.
struct Pause {
  absl::Time until = absl::InfiniteFuture();
};
// Nothing more to send: the stream ends, well or with an error.
struct End {
  absl::Status status;
};
// Bytes of a message, so that stored events can be handed on as they are; or why there is none.
using Pulled = std::variant<std::string, Pause, End>;

// The answer to one request. Not thread-safe: one call at a time, from any thread.
class Outgoing {
 public:
  virtual ~Outgoing() = default;
  // May block on reads of the store. Not to be called after End.
  virtual Pulled Pull() = 0;
  // The server shuts down: what comes next is soon the last message, which says so, and End.
  virtual void Drain() = 0;
};

// Requests, and answers to them.
template <typename Request>
class Dialogue : public Outgoing {
 public:
  // Whether it takes another request now. Where it doesn't, to be asked again after each Pull().
  virtual bool HasRoom() = 0;
  // A request, or why what came can't be read as one.
  virtual void Take(absl::StatusOr<Request> request) = 0;
  // There will be no more requests.
  virtual void TakeEnd() = 0;
};

}  // namespace tally::service

// Reading a stream until there is no more to it, or somebody presses Ctrl-C.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "ledger/base/status_macros.h"
#include "ledger/client/streams.h"
#include "tools/tally/interrupt.h"

namespace tally::cli {

enum class Followed {
  kEnough,       // `take` said so
  kEnded,        // the server did
  kInterrupted,  // Ctrl-C
};

// Hands each message to `take`, which returns whether it wants more.
template <typename Response, typename Take>
absl::StatusOr<Followed> Follow(Interrupt& interrupt,
                                absl::StatusOr<std::unique_ptr<client::Incoming<Response>>> begun,
                                Take take) {
  TALLY_RETURN_IF_ERROR(begun.status());
  const std::shared_ptr<client::Incoming<Response>> stream = *std::move(begun);
  // The signal may come when the stream is gone.
  interrupt.OnRaised([waiting = std::weak_ptr(stream)] {
    if (const auto there = waiting.lock()) there->Cancel();
  });
  for (;;) {
    const absl::StatusOr<std::optional<Response>> message = stream->Next();
    if (interrupt.is_raised()) return Followed::kInterrupted;
    TALLY_RETURN_IF_ERROR(message.status());
    if (!message->has_value()) return Followed::kEnded;
    if (!take(**message)) return Followed::kEnough;
  }
}

}  // namespace tally::cli

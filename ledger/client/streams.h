// Calls with many messages, as a client holds them. No gRPC shows.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "tallystick/v1/ledger_service.pb.h"
#include "tallystick/v1/settlement_service.pb.h"

namespace tally::client {

namespace v1 = ::tallystick::v1;

// An answer in many messages. One thread reads; another may cancel. What is not read waits with the
// server. Going away cancels.
template <typename Response>
class Incoming {
 public:
  virtual ~Incoming() = default;
  // Blocks until there is one. nullopt: the server ended the answer well, or it was cancelled here.
  // An error is the end too: those of the RPC, and SERVER_UNREACHABLE when the connection is lost.
  virtual absl::StatusOr<std::optional<Response>> Next() = 0;
  // From any thread. Ends a Next() that blocks.
  virtual void Cancel() = 0;
};

// Batches out, their answers in. One thread may send while another reads.
class RecordStream : public Incoming<v1::RecordEventStreamResponse> {
 public:
  // Blocks while the server takes no more: somebody has to read the answers meanwhile. False when
  // the stream is over; Next() says why.
  virtual bool Send(const v1::RecordEventsRequest& batch) = 0;
  // There are no more batches: Next() comes to an end after the last answer.
  virtual void SendEnd() = 0;
};

}  // namespace tally::client

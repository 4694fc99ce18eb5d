// One observation → the events it is. Pure but for the memory it is handed.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/observation/calls.h"
#include "ledger/observation/observation.h"
#include "ledger/settlement/event.h"

namespace tally::observation {

// Why a well-formed observation gave no event.
inline constexpr absl::string_view kRequestNotSeen = "its request was not seen";
inline constexpr absl::string_view kNoPayment = "no payment involved";
inline constexpr absl::string_view kRemembered =
    "a request that is recorded with its answer, kept in memory until then";
inline constexpr absl::string_view kNotAboutPayments = "not about payments";

struct Reading {
  std::vector<settlement::Event> events;
  // Set when there are no events; one of the constants above. After kRequestNotSeen the same
  // observation can be read again once its request was.
  absl::string_view skipped;
  // Beside events: of a batch of frames, the request of some was not seen, and reading it again
  // once it was gives the events of those too.
  bool has_unseen_request = false;
};

// Event ids are `imp_` (source import) or `obs_` and a digest of observation id and event type, and
// a body holds only what this observation and its own call's request say: reading the same again
// gives the same events. What is malformed inside a well-formed frame is no error: it becomes an
// event that says so. FIELD_MISSING, FIELD_MALFORMED, DOCUMENT_MALFORMED or LIMIT_EXCEEDED when the
// observation itself can't be read; nothing is remembered then.
//
// A JSON-RPC batch is read as its frames, each with its own text as the wire document; of a batch
// over 64 KiB no bytes are kept. Beyond 100 frames it is LIMIT_EXCEEDED.
//
// Filed under: the settlement of the payment, or the challenge, or the call when its payment gives
// no id. A facilitator request whose payment gives no id knows no call: it is filed under the call
// (session, "exchange:" + exchange). Facts about a nonce are filed under its slot.
absl::StatusOr<Reading> Read(const Observation& observation, Calls& calls);

}  // namespace tally::observation

// Lines of a transcript as observations to be sent to Observe, over the wire or embedded. The
// format is that of ledger/observation/transcript.h.
#pragma once

#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/observation/transcript.h"
#include "tallystick/v1/ledger_service.pb.h"
#include "tallystick/v1/types.pb.h"

namespace tally::service {

namespace v1 = ::tallystick::v1;

// Who recorded what follows: a ledger of another role should not take it in.
struct RecorderInfo {
  std::string session;
  v1::LedgerRole role = v1::LEDGER_ROLE_UNSPECIFIED;
};

// One a file. Not thread-safe.
class TranscriptReader {
 public:
  // Errors name field, seen and wanted.
  absl::StatusOr<std::variant<RecorderInfo, v1::Observation>> Read(absl::string_view line);

 private:
  observation::Transcript transcript_;
};

// Whether an observation, or a frame of a batch, was left out because its request was not seen: to
// be sent again once other files were.
bool IsRequestNotSeen(const v1::ObservationResult& result);

}  // namespace tally::service

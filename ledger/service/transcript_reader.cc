#include "ledger/service/transcript_reader.h"

#include <utility>

#include "ledger/base/status_macros.h"
#include "ledger/observation/read.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/service/observation_codec.h"

namespace tally::service {

absl::StatusOr<std::variant<RecorderInfo, v1::Observation>> TranscriptReader::Read(
    absl::string_view line) {
  using Out = std::variant<RecorderInfo, v1::Observation>;
  TALLY_ASSIGN_OR_RETURN(const observation::Line read, transcript_.Read(line));
  if (const auto* recorder = std::get_if<observation::RecorderLine>(&read); recorder != nullptr) {
    return Out(RecorderInfo{recorder->session, protocol::ToProto(recorder->role)});
  }
  v1::Observation out;
  ToProto(std::get<observation::Observation>(read), &out);
  return Out(std::move(out));
}

bool IsRequestNotSeen(const v1::ObservationResult& result) {
  return result.recorded().has_unseen_request() ||
         (result.has_skipped() && result.skipped().reason() == observation::kRequestNotSeen);
}

}  // namespace tally::service

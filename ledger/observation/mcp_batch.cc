#include "ledger/observation/mcp_batch.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/raw_text.h"

namespace tally::observation {
namespace {

constexpr std::size_t kFramesMax = 100;

absl::Status TooMany(std::size_t frames) {
  const std::string seen = absl::StrCat("a batch of ", frames, " frames");
  const std::string wanted = absl::StrCat("at most ", kFramesMax);
  return Error(Reason::kLimitExceeded, absl::StrCat("message: saw ", seen, ", wanted ", wanted))
      .With("field", "message")
      .With("seen", seen)
      .With("wanted", wanted);
}

// All but id and body.
Observation FrameOf(const Observation& batch) {
  Observation out;
  out.time = batch.time;
  out.session = batch.session;
  out.observes = batch.observes;
  out.source = batch.source;
  out.recorder = batch.recorder;
  return out;
}

// A frame that gives events is not held up by another whose request was not seen.
void Add(Reading frame, Reading& batch) {
  for (settlement::Event& event : frame.events) batch.events.push_back(std::move(event));
  if (frame.skipped == kRequestNotSeen) batch.has_unseen_request = true;
  if (batch.skipped.empty()) batch.skipped = frame.skipped;
}

}  // namespace

absl::StatusOr<Reading> ReadBatch(const Observation& observation, const McpFrame& batch,
                                  const FrameReader& read) {
  const std::vector<absl::string_view> texts = ElementTexts(batch.message);
  if (texts.size() > kFramesMax) return TooMany(texts.size());
  Reading out;
  Observation own = FrameOf(observation);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    own.id = absl::StrCat(observation.id, "#", i);
    const McpFrame frame{batch.endpoint, batch.direction, std::string(texts[i])};
    TALLY_ASSIGN_OR_RETURN(Reading reading, read(own, frame));
    Add(std::move(reading), out);
  }
  if (!out.events.empty()) {
    out.skipped = "";
  } else if (out.has_unseen_request) {
    out.skipped = kRequestNotSeen;
  } else if (out.skipped.empty()) {
    out.skipped = kNotAboutPayments;
  }
  const bool is_kept = batch.message.size() <= settlement::kRawDocumentBytesMax;
  for (settlement::Event& event : out.events) {
    if (!is_kept && event.document.has_value()) event.document->bytes.clear();
  }
  return out;
}

}  // namespace tally::observation

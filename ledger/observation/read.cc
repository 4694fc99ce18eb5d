#include "ledger/observation/read.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

struct Dispatch {
  const Observation& observation;
  Calls& calls;

  absl::StatusOr<Reading> operator()(const McpFrame& b) const {
    return ReadMcpFrame(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const FacilitatorRequest& b) const {
    return ReadFacilitatorRequest(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const FacilitatorAnswer& b) const {
    return ReadFacilitatorAnswer(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const ExecutionMark& b) const {
    return ReadExecutionMark(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const ClientReport& b) const {
    return ReadClientReport(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const ChainReport& b) const {
    return ReadChainReport(observation, b);
  }
  absl::StatusOr<Reading> operator()(const TaskMark& b) const {
    return ReadTaskMark(observation, b, calls);
  }
  absl::StatusOr<Reading> operator()(const ResolutionMark& b) const {
    return ReadResolutionMark(observation, b);
  }
};

absl::Status CheckId(absl::string_view field, absl::string_view text, bool is_required) {
  if (text.empty() && is_required) return Missing(field, "1 to 256 bytes");
  if (text.size() <= kIdBytesMax) return absl::OkStatus();
  return Error(Reason::kLimitExceeded,
               absl::StrCat(field, ": saw ", text.size(), " bytes, wanted at most ", kIdBytesMax))
      .With("field", field)
      .With("seen", absl::StrCat(text.size(), " bytes"))
      .With("wanted", absl::StrCat("at most ", kIdBytesMax, " bytes"));
}

// A call is kept as session, a blank, request id.
absl::Status CheckSession(const std::string& session, bool is_required) {
  TALLY_RETURN_IF_ERROR(CheckId("session", session, is_required));
  for (const char c : session) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f) {
      return FieldError("session", session, "no blank and no control character");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Reading> Read(const Observation& observation, Calls& calls) {
  const bool needs_session = !std::holds_alternative<ChainReport>(observation.body) &&
                             !std::holds_alternative<ResolutionMark>(observation.body);
  TALLY_RETURN_IF_ERROR(CheckId("observation_id", observation.id, true));
  TALLY_RETURN_IF_ERROR(CheckSession(observation.session, needs_session));
  return std::visit(Dispatch{observation, calls}, observation.body);
}

}  // namespace tally::observation

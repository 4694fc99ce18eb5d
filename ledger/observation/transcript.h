// Transcripts: JSON Lines, one observation a line, as recorders write them. Each line is an object
// with `v` (1), `time` (RFC 3339), `session` (may be left out of chain and resolution lines) and
// `kind`:
//
//   recorder             role (seller, buyer, facilitator), observes (mcp, facilitator, execution,
//                        client-report, chain)
//   mcp                  endpoint?, dir (client-to-server, server-to-client), message
//   facilitator-request  exchange, method?, path, body?, facilitator?, phase? (before-handler,
//                        after-handler, cancel)
//   facilitator-answer   exchange, and status and body?, or error
//   execution            event (started, finished), request_id, tool?, outcome (of a finished one:
//                        succeeded, tool_error, crashed, aborted), execution_id?, idempotent?,
//                        lease_until? (RFC 3339)
//   client-report        tool, report, request_id?
//   chain                network, event (transfer, used, canceled, unused, retracted), finality
//                        (seen, safe, finalised), from, nonce, asset?, to?, value?, tx?,
//                        log_index?, block?, block_hash?, block_time?
//   task                 task_id, request_id?, and status (working, input_required, completed,
//                        failed, cancelled) or preflight (payment_required, standby_rejected,
//                        other)
//   resolution           settlement_id or payment, resolution (refunded, written_off, comped,
//   void),
//                        reason, closes_version? (else what is on file when it is filed)
//
// A body that is a JSON string is the text of a body that was no JSON.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/observation/observation.h"

namespace tally::observation {

// Who recorded the lines of a session that follow.
struct RecorderLine {
  std::string session;
  settlement::LedgerRole role = settlement::LedgerRole::kSeller;
  settlement::Observes observes;
};
using Line = std::variant<RecorderLine, Observation>;

// Reads one file; the ordinal among identical lines and what a session's recorder observes are of a
// file. Not thread-safe.
class Transcript {
 public:
  // One line without its end. The observation's id is `line_` and a digest of the session, the
  // line's RFC 8785 form and its ordinal among identical lines, so that a file read twice, or cut
  // and then whole, gives the same ids. Errors name field, seen and wanted: FIELD_MISSING,
  // FIELD_MALFORMED, DOCUMENT_MALFORMED (no JSON), LIMIT_EXCEEDED.
  absl::StatusOr<Line> Read(absl::string_view line);

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> seen_;  // by the head of a line's digest
  std::unordered_map<std::string, settlement::Observes> observes_;  // by session
};

}  // namespace tally::observation

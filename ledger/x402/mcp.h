// MCP frames as the ledger needs them: which call, does it carry a payment, what went back and
// through which doors. Dialects: the specification's and Cloudflare's over tool results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ledger/json/value.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/payment_required.h"

namespace tally::x402 {

// A tools/call request. A frame that is a bad call can carry a good payment, so nothing of it is
// refused.
struct ToolCall {
  std::string request_id;        // JSON text of the JSON-RPC id, type kept; `null` when missing
  std::string tool;              // empty when `params.name` is missing or no string
  std::string arguments_sha256;  // SHA-256 hex of the RFC 8785 form of `arguments` ({} when absent)
  // The payment in `_meta`, whichever dialect: an object, or a base64 string decoded. Empty with
  // `payment_error` set when one is there and can't be read as an object.
  std::optional<json::Value> payment;
  std::string payment_error;  // why a payment that is there can't be read as an object
  std::vector<std::string> duplicate_keys;  // inside a base64 payment
  bool has_payment() const { return payment.has_value() || !payment_error.empty(); }
  bool has_payment_in_arguments = false;
};
enum class FrameKind { kToolCall, kAnswer, kOther };
// What kind of frame this is; notifications, other methods and their answers are kOther.
FrameKind KindOf(const json::Value& frame);
ToolCall ReadToolCall(const json::Value& frame);

enum class Door { kStructuredContent, kContentText, kMetaError };  // _meta["x402/error"]
absl::string_view NameOf(Door door);

// An answer (result or error) to a tools/call.
struct ToolAnswer {
  std::string request_id;  // as in ToolCall
  bool is_rpc_error = false;
  bool is_error = false;     // result.isError truthy
  bool has_content = false;  // a non-empty content array or structuredContent
  // _meta["x402/payment-response"], or that key inside an isError answer's challenge object, object
  // or base64 string; unreadable ones are unresolved.
  std::optional<SettleAnswer> receipt;
  // Through the first door that has one; also from a JSON-RPC error (402, -32042) or a result of
  // type payment_required, which are no doors of the mirrored schema and so stand in no
  // `payable_doors`.
  std::optional<PaymentRequired> challenge;
  std::vector<Door> payable_doors;  // doors a client of the mirrored schema would pay through
  // An isError answer whose structuredContent and content[0].text are both objects and differ, or
  // whose structuredContent is a challenge and the text is not the same JSON.
  bool doors_disagree = false;
  std::string error_text;  // `error` of the challenge, or the first text of an isError answer,
                           // shortened: weak evidence
  std::string task_id;     // result.task.taskId
};
// FIELD_MALFORMED when there is neither result nor error.
absl::StatusOr<ToolAnswer> ReadToolAnswer(const json::Value& frame);

}  // namespace tally::x402

#include "ledger/x402/mcp.h"

#include "ledger/base/error.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/frame.h"

namespace tally::x402 {

FrameKind KindOf(const json::Value& frame) {
  if (frame.object() == nullptr) return FrameKind::kOther;
  if (const json::Value* method = frame.Find("method"); method != nullptr) {
    // Without an id it is a notification: nobody answers it, so nobody pays for it.
    const bool is_call = method->string() != nullptr && *method->string() == "tools/call" &&
                         frame.Find("id") != nullptr;
    return is_call ? FrameKind::kToolCall : FrameKind::kOther;
  }
  const bool is_answer = frame.Find("result") != nullptr || frame.Find("error") != nullptr;
  return is_answer ? FrameKind::kAnswer : FrameKind::kOther;
}

absl::string_view NameOf(Door door) {
  switch (door) {
    case Door::kStructuredContent:
      return "structuredContent";
    case Door::kContentText:
      return "content[0].text";
    case Door::kMetaError:
      return "_meta[\"x402/error\"]";
  }
  return "";
}

absl::StatusOr<std::string> ReadRequestId(const json::Value& frame, bool is_null_allowed) {
  const json::Value* id = frame.Find("id");
  const bool is_id = id != nullptr && (id->string() != nullptr || id->number() != nullptr ||
                                       (id->is_null() && is_null_allowed));
  if (!is_id) return FieldError("id", Seen(id), "a JSON-RPC id, string or number");
  const auto canonical = json::Canonical(*id, json::NumberPolicy::kAsJavaScript);
  return canonical.ok() ? *canonical : json::Write(*id);
}

}  // namespace tally::x402

#include "ledger/x402/mcp.h"

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
  const json::Value* error = frame.Find("error");
  const bool is_answer = frame.Find("result") != nullptr || (error != nullptr && !error->is_null());
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

std::string RequestIdOf(const json::Value& frame) {
  const json::Value* id = frame.Find("id");
  if (id == nullptr) return "null";
  const auto canonical = json::Canonical(*id, json::NumberPolicy::kAsJavaScript);
  return canonical.ok() ? *canonical : json::Write(*id);
}

}  // namespace tally::x402

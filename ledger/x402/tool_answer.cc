#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "ledger/base/error.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/frame.h"
#include "ledger/x402/mcp.h"

namespace tally::x402 {
namespace {

constexpr std::size_t kErrorTextBytesMax = 256;

// Cut at a character, so that what was UTF-8 stays UTF-8.
std::string Shorten(absl::string_view text) {
  if (text.size() <= kErrorTextBytesMax) return std::string(text);
  std::size_t end = kErrorTextBytesMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end));
}

// A tool result with its text door parsed once.
struct Result {
  const json::Value& value;
  const json::Value* structured;  // null pointer when missing, like the next two
  const json::Value* meta;
  const std::string* text;  // of content[0], when its type is text
  std::optional<json::Value> text_value;
};

Result Open(const json::Value& value) {
  Result out{value, nullptr, nullptr, nullptr, std::nullopt};
  out.structured = value.Find("structuredContent");
  out.meta = value.Find("_meta");
  const json::Array* content = ArrayAt(value, "content");
  if (content == nullptr || content->empty()) return out;
  const json::Value& first = content->front();
  const std::string* type = first.FindString("type");
  if (type == nullptr || *type != "text") return out;
  out.text = first.FindString("text");
  if (out.text == nullptr) return out;
  absl::StatusOr<json::Document> document = json::Parse(*out.text);
  if (document.ok()) out.text_value = std::move(document->value);
  return out;
}

std::optional<PaymentRequired> ThroughSchema(const json::Value* value) {
  if (value == nullptr) return std::nullopt;
  absl::StatusOr<PaymentRequired> challenge = ReadPaymentRequired(*value);
  return challenge.ok() ? std::optional(*std::move(challenge)) : std::nullopt;
}

std::optional<PaymentRequired> InStructuredContent(const Result& result) {
  return ThroughSchema(result.structured);
}

std::optional<PaymentRequired> InContentText(const Result& result) {
  return ThroughSchema(result.text_value.has_value() ? &*result.text_value : nullptr);
}

// Cloudflare's client reads nothing but `accepts`.
std::optional<PaymentRequired> InMetaError(const Result& result) {
  const json::Value* error = result.meta == nullptr ? nullptr : result.meta->Find("x402/error");
  const json::Array* accepts = error == nullptr ? nullptr : ArrayAt(*error, "accepts");
  if (accepts == nullptr || accepts->empty()) return std::nullopt;
  return TermsOf(*error);
}

// Every door, in the order a client of the specification tries them. All want `isError`.
struct DoorReader {
  Door door;
  std::optional<PaymentRequired> (*read)(const Result&);
};
constexpr DoorReader kDoors[] = {
    {Door::kStructuredContent, InStructuredContent},
    {Door::kContentText, InContentText},
    {Door::kMetaError, InMetaError},
};

bool AreSame(const json::Value& a, const json::Value& b) { return DigestOf(a) == DigestOf(b); }

bool DoDoorsDisagree(const Result& result) {
  if (result.structured == nullptr || result.structured->object() == nullptr) return false;
  if (result.text == nullptr) return false;
  const bool is_text_object =
      result.text_value.has_value() && result.text_value->object() != nullptr;
  const bool is_challenge = result.structured->Find("x402Version") != nullptr &&
                            result.structured->Find("accepts") != nullptr;
  if (!is_text_object) return is_challenge;
  return !AreSame(*result.structured, *result.text_value);
}

// Receipt keys: the specification's, then Vercel's.
constexpr absl::string_view kReceiptKeys[] = {"x402/payment-response", "x402.payment-response"};

std::optional<SettleAnswer> ReceiptIn(const json::Value* holder) {
  if (holder == nullptr) return std::nullopt;
  for (const absl::string_view key : kReceiptKeys) {
    const json::Value* receipt = holder->Find(key);
    if (receipt == nullptr || receipt->is_null()) continue;
    return receipt->string() != nullptr ? ReadSettleHeader(*receipt->string())
                                        : ReadSettleAnswer(receipt);
  }
  return std::nullopt;
}

// Python's server embeds the receipt of a failed settlement in the challenge object.
std::optional<SettleAnswer> ReceiptOf(const Result& result, bool is_error) {
  std::optional<SettleAnswer> receipt = ReceiptIn(result.meta);
  if (receipt.has_value() || !is_error) return receipt;
  receipt = ReceiptIn(result.structured);
  if (receipt.has_value() || !result.text_value.has_value()) return receipt;
  return ReceiptIn(&*result.text_value);
}

std::string ErrorTextOf(const Result& result, const ToolAnswer& answer) {
  if (answer.challenge.has_value() && !answer.challenge->error.empty()) {
    return Shorten(answer.challenge->error);
  }
  return answer.is_error && result.text != nullptr ? Shorten(*result.text) : std::string();
}

void ReadResult(const json::Value& value, ToolAnswer& out) {
  const Result result = Open(value);
  const json::Value* is_error = value.Find("isError");
  out.is_error = is_error != nullptr && is_error->IsTruthy();
  const json::Array* content = ArrayAt(value, "content");
  out.has_content = (content != nullptr && !content->empty()) ||
                    (result.structured != nullptr && !result.structured->is_null());
  out.receipt = ReceiptOf(result, out.is_error);
  if (out.is_error) {
    for (const DoorReader& door : kDoors) {
      std::optional<PaymentRequired> challenge = door.read(result);
      if (!challenge.has_value()) continue;
      out.payable_doors.push_back(door.door);
      if (!out.challenge.has_value()) out.challenge = std::move(challenge);
    }
    out.doors_disagree = DoDoorsDisagree(result);
  }
  // The extension binding says it in a member of its own.
  const std::string* type = value.FindString("resultType");
  if (!out.challenge.has_value() && type != nullptr && *type == "payment_required") {
    out.challenge = ThroughSchema(value.Find("paymentRequired"));
  }
  out.error_text = ErrorTextOf(result, out);
  const json::Value* task = value.Find("task");
  const std::string* task_id = task == nullptr ? nullptr : task->FindString("taskId");
  if (task_id != nullptr) out.task_id = *task_id;
}

// Codes that carry a challenge in `data` or `data.x402`; -32042 is shared with other protocols,
// whose data does not pass the schema.
void ReadRpcError(const json::Value& error, ToolAnswer& out) {
  out.is_rpc_error = true;
  const json::Value* code = error.Find("code");
  const json::Value* data = error.Find("data");
  if (code != nullptr && code->number() != nullptr && data != nullptr) {
    const std::int64_t number = code->number()->AsInteger().value_or(0);
    const json::Value* inner = data->Find("x402");
    if (number == 402 || number == -32042) {
      out.challenge = ThroughSchema(inner != nullptr ? inner : data);
    }
  }
  const std::string* message = error.FindString("message");
  if (message != nullptr) out.error_text = Shorten(*message);
}

}  // namespace

absl::StatusOr<ToolAnswer> ReadToolAnswer(const json::Value& frame) {
  const json::Value* error = frame.Find("error");
  const json::Value* result = frame.Find("result");
  const bool is_rpc_error = error != nullptr && !error->is_null();
  if (!is_rpc_error && result == nullptr) {
    return FieldError("result", Seen(error), "a result or an error");
  }
  ToolAnswer out;
  out.request_id = RequestIdOf(frame);
  if (is_rpc_error) {
    ReadRpcError(*error, out);
  } else {
    ReadResult(*result, out);
  }
  return out;
}

}  // namespace tally::x402

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/encoding.h"
#include "ledger/x402/fields.h"
#include "ledger/x402/frame.h"
#include "ledger/x402/mcp.h"

namespace tally::x402 {
namespace {

// Where a payment travels in `_meta`: the specification and Cloudflare's agents (object and base64
// string), Vercel's x402-mcp (base64 string). The form is read from the value.
constexpr absl::string_view kPaymentKeys[] = {"x402/payment", "x402.payment"};

void ReadEncodedPayment(const std::string& text, absl::string_view key, ToolCall& out) {
  const absl::StatusOr<std::string> decoded = Base64Decode(text);
  if (!decoded.ok()) {
    out.payment_error = absl::StrCat("_meta[\"", key, "\"] is a string that is not base64");
    return;
  }
  absl::StatusOr<json::Document> document = json::Parse(*decoded);
  if (!document.ok()) {
    out.payment_error = absl::StrCat(
        "_meta[\"", key, "\"] is base64, but not of JSON: ", document.status().message());
    return;
  }
  out.duplicate_keys = std::move(document->duplicate_keys);
  if (document->value.object() == nullptr) {
    out.payment_error = absl::StrCat("_meta[\"", key, "\"] is base64 JSON, but no object");
    return;
  }
  out.payment = std::move(document->value);
}

void ReadPaymentIn(const json::Value& meta, ToolCall& out) {
  for (const absl::string_view key : kPaymentKeys) {
    const json::Value* payment = meta.Find(key);
    if (payment == nullptr || payment->is_null()) continue;
    if (payment->object() != nullptr) {
      out.payment = *payment;
    } else if (payment->string() != nullptr) {
      ReadEncodedPayment(*payment->string(), key, out);
    } else {
      out.payment_error =
          absl::StrCat("_meta[\"", key, "\"] is neither an object nor a base64 string");
    }
    return;
  }
}

bool LooksLikePayment(const json::Value& value) {
  return value.Find("x402Version") != nullptr && value.Find("payload") != nullptr;
}

// A payment among the arguments reaches the tool and its logs: anyone who reads those can present
// it.
bool HoldsPayment(const json::Value& value, std::size_t depth_left) {
  if (depth_left == 0) return false;
  if (const json::Array* array = value.array(); array != nullptr) {
    return std::any_of(array->begin(), array->end(), [depth_left](const json::Value& item) {
      return HoldsPayment(item, depth_left - 1);
    });
  }
  const json::Object* object = value.object();
  if (object == nullptr) return false;
  if (LooksLikePayment(value)) return true;
  for (const auto& [key, member] : *object) {
    const bool is_named = std::find(std::begin(kPaymentKeys), std::end(kPaymentKeys),
                                    absl::string_view(key)) != std::end(kPaymentKeys);
    if ((is_named && !member.is_null()) || HoldsPayment(member, depth_left - 1)) return true;
  }
  return false;
}

}  // namespace

ToolCall ReadToolCall(const json::Value& frame) {
  ToolCall out;
  out.request_id = RequestIdOf(frame);
  const json::Value* name = frame.Find({"params", "name"});
  if (name != nullptr && name->string() != nullptr) out.tool = *name->string();
  const json::Value* arguments = frame.Find({"params", "arguments"});
  const json::Value none{json::Object{}};
  if (arguments == nullptr) arguments = &none;
  out.arguments_sha256 = DigestOf(*arguments);
  out.has_payment_in_arguments = HoldsPayment(*arguments, json::kDepthMax);
  if (const json::Value* meta = frame.Find({"params", "_meta"}); meta != nullptr) {
    ReadPaymentIn(*meta, out);
  }
  return out;
}

}  // namespace tally::x402

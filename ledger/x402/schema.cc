#include "ledger/x402/schema.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/x402/fields.h"

namespace tally::x402 {
namespace {

bool IsLabel(const json::Value& value) {
  const std::string* text = value.string();
  return text != nullptr && !text->empty() && text->size() <= 32 &&
         std::all_of(text->begin(), text->end(),
                     [](char c) { return absl::ascii_isprint(static_cast<unsigned char>(c)); });
}

bool AreLabels(const json::Value& value) {
  const json::Array* labels = value.array();
  return labels != nullptr && labels->size() <= 5 &&
         std::all_of(labels->begin(), labels->end(), IsLabel);
}

// JavaScript's length of a string: UTF-16 code units of the UTF-8 text.
std::size_t Utf16Length(absl::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U) continue;
    units += byte >= 0xF0U ? 2 : 1;
  }
  return units;
}

bool IsNetworkV2(const json::Value& value) {
  const std::string* text = value.string();
  return text != nullptr && text->find(':') != std::string::npos && Utf16Length(*text) >= 3;
}

bool Passes(Rule rule, const json::Value* value) {
  const bool is_missing = value == nullptr;
  const bool is_nullish = is_missing || value->is_null();
  const std::string* text = is_missing ? nullptr : value->string();
  switch (rule) {
    case Rule::kString:
      return text != nullptr;
    case Rule::kStringOptional:
      return is_missing || text != nullptr;
    case Rule::kStringNullish:
      return is_nullish || text != nullptr;
    case Rule::kNonEmpty:
      return text != nullptr && !text->empty();
    case Rule::kNetworkV2:
      return !is_missing && IsNetworkV2(*value);
    case Rule::kPositive:
      return !is_missing && value->number() != nullptr && value->number()->AsDouble() > 0;
    case Rule::kObjectNullish:
      return is_nullish || value->object() != nullptr;
    case Rule::kLabelNullish:
      return is_nullish || IsLabel(*value);
    case Rule::kLabelsNullish:
      return is_nullish || AreLabels(*value);
    case Rule::kIconUrlNullish:
      return is_nullish || (text != nullptr && Utf16Length(*text) <= 2048);
  }
  return false;
}

absl::string_view WantedBy(Rule rule) {
  switch (rule) {
    case Rule::kString:
      return "a string";
    case Rule::kStringOptional:
      return "a string, or nothing";
    case Rule::kStringNullish:
      return "a string, null or nothing";
    case Rule::kNonEmpty:
      return "a string that is not empty";
    case Rule::kNetworkV2:
      return "a CAIP-2 network such as eip155:8453";
    case Rule::kPositive:
      return "a number above 0";
    case Rule::kObjectNullish:
      return "an object, null or nothing";
    case Rule::kLabelNullish:
      return "1 to 32 printable ASCII characters, null or nothing";
    case Rule::kLabelsNullish:
      return "at most 5 strings of 1 to 32 printable ASCII characters, null or nothing";
    case Rule::kIconUrlNullish:
      return "a string of at most 2048 characters, null or nothing";
  }
  return "";
}

}  // namespace

absl::Status CheckFields(const json::Value& value, absl::string_view path,
                         absl::Span<const Field> fields) {
  for (const Field& field : fields) {
    const json::Value* member = value.Find(field.key);
    if (Passes(field.rule, member)) continue;
    return Malformed(absl::StrCat(path, field.key), member, WantedBy(field.rule), kSchemaCondition);
  }
  return absl::OkStatus();
}

}  // namespace tally::x402

#include "ledger/observation/line_fields.h"

#include "ledger/base/clock.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"

namespace tally::observation {
namespace {

// The text below is known to be JSON, so the walk needs no errors.
std::size_t SkipBlanks(absl::string_view text, std::size_t at) {
  while (at < text.size() &&
         (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) {
    ++at;
  }
  return at;
}

std::size_t EndOfString(absl::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t EndOfValue(absl::string_view text, std::size_t at) {
  if (text[at] == '"') return EndOfString(text, at);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t end = text.find_first_of(",]} \t\r\n", at);
    return end == absl::string_view::npos ? text.size() : end;
  }
  std::size_t depth = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = EndOfString(text, at);
      continue;
    }
    if (text[at] == '{' || text[at] == '[') ++depth;
    if ((text[at] == '}' || text[at] == ']') && --depth == 0) return at + 1;
    ++at;
  }
  return at;
}

bool IsKey(absl::string_view literal, absl::string_view key) {
  const absl::StatusOr<json::Document> document = json::Parse(literal);
  return document.ok() && document->value.string() != nullptr && *document->value.string() == key;
}

// The last one wins, as it does in JavaScript.
absl::string_view MemberText(absl::string_view text, absl::string_view key) {
  absl::string_view found;
  std::size_t at = SkipBlanks(text, 0) + 1;
  for (at = SkipBlanks(text, at); at < text.size() && text[at] == '"';) {
    const std::size_t key_end = EndOfString(text, at);
    const absl::string_view literal = text.substr(at, key_end - at);
    const std::size_t begin = SkipBlanks(text, SkipBlanks(text, key_end) + 1);
    if (begin >= text.size()) break;
    const std::size_t end = EndOfValue(text, begin);
    if (IsKey(literal, key)) found = text.substr(begin, end - begin);
    at = SkipBlanks(text, SkipBlanks(text, end) + 1);
  }
  return found;
}

}  // namespace

bool LineFields::Has(absl::string_view field) const {
  const json::Value* value = value_.Find(field);
  return value != nullptr && !value->is_null();
}

absl::Status LineFields::Refuse(absl::string_view field, absl::string_view wanted) const {
  const json::Value* value = value_.Find(field);
  if (value == nullptr || value->is_null()) return Missing(field, wanted);
  return FieldError(field, value->string() != nullptr ? *value->string() : json::Write(*value),
                    wanted);
}

absl::StatusOr<std::string> LineFields::String(absl::string_view field) const {
  const std::string* text = value_.FindString(field);
  if (text == nullptr || text->empty()) return Refuse(field, "a string that is not empty");
  return *text;
}

absl::StatusOr<std::string> LineFields::StringOrEmpty(absl::string_view field) const {
  if (!Has(field)) return std::string();
  const std::string* text = value_.FindString(field);
  if (text == nullptr) return Refuse(field, "a string");
  return *text;
}

absl::StatusOr<std::optional<std::int64_t>> LineFields::Integer(absl::string_view field) const {
  if (!Has(field)) return std::optional<std::int64_t>();
  const json::Number* number = value_.Find(field)->number();
  const std::optional<std::int64_t> integer =
      number == nullptr ? std::nullopt : number->AsInteger();
  if (!integer.has_value()) return Refuse(field, "an integer");
  return integer;
}

absl::StatusOr<bool> LineFields::BooleanOrFalse(absl::string_view field) const {
  if (!Has(field)) return false;
  const bool* boolean = value_.Find(field)->boolean();
  if (boolean == nullptr) return Refuse(field, "true or false");
  return *boolean;
}

absl::StatusOr<std::optional<absl::Time>> LineFields::Time(absl::string_view field) const {
  if (!Has(field)) return std::optional<absl::Time>();
  const std::string* text = value_.FindString(field);
  const absl::StatusOr<absl::Time> time =
      text == nullptr ? absl::InvalidArgumentError("") : ParseTime(*text);
  if (!time.ok()) return Refuse(field, "a time of RFC 3339, such as 2026-11-30T17:19:50.425Z");
  return std::optional(*time);
}

std::string LineFields::Raw(absl::string_view field) const {
  return Has(field) ? std::string(MemberText(text_, field)) : std::string();
}

std::string LineFields::RawOrText(absl::string_view field) const {
  const std::string* text = value_.FindString(field);
  return text != nullptr ? *text : Raw(field);
}

}  // namespace tally::observation

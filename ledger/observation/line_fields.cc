#include "ledger/observation/line_fields.h"

#include "ledger/base/clock.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/raw_text.h"

namespace tally::observation {
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

#include "ledger/json/value.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "ledger/json/decimal.h"

namespace tally::json {

double Number::AsDouble() const {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec == std::errc() && read.ptr == end) return value;
  // from_chars says "out of range" without saying which end, so the exponent decides.
  const std::optional<Decimal> decimal = ParseDecimal(text);
  if (!decimal.has_value()) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = decimal->exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return decimal->is_negative ? -magnitude : magnitude;
}

std::optional<std::int64_t> Number::AsInteger() const {
  constexpr double kSafeMax = 9007199254740991;  // Number.MAX_SAFE_INTEGER
  const double value = AsDouble();
  if (!(std::abs(value) <= kSafeMax) || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

Value Value::Integer(std::int64_t integer) { return Value(Number{std::to_string(integer)}); }

const Value* Value::Find(absl::string_view key) const {
  if (object() == nullptr) return nullptr;
  for (const auto& [name, value] : *object()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Value* Value::Find(std::initializer_list<absl::string_view> path) const {
  const Value* value = this;
  for (const absl::string_view key : path) {
    value = value->Find(key);
    if (value == nullptr) return nullptr;
  }
  return value;
}

const std::string* Value::FindString(absl::string_view key) const {
  const Value* const value = Find(key);
  return value == nullptr ? nullptr : value->string();
}

bool Value::IsTruthy() const {
  switch (kind()) {
    case Kind::kNull:
      return false;
    case Kind::kBoolean:
      return *boolean();
    case Kind::kNumber: {
      const double value = number()->AsDouble();
      return value != 0 && !std::isnan(value);
    }
    case Kind::kString:
      return !string()->empty();
    case Kind::kArray:
    case Kind::kObject:
      return true;
  }
  return false;
}

Value Text(absl::string_view text) { return Value(std::string(text)); }

void Put(Object& object, absl::string_view key, Value value) {
  for (auto& [name, present] : object) {
    if (name != key) continue;
    present = std::move(value);
    return;
  }
  object.emplace_back(std::string(key), std::move(value));
}

}  // namespace tally::json

// Internal to observation: the members of a transcript line, typed, or refused with field, seen and
// wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "ledger/json/value.h"

namespace tally::observation {

class LineFields {
 public:
  // Both must outlive this; `text` is what `value` was parsed from.
  LineFields(absl::string_view text, const json::Value& value) : text_(text), value_(value) {}

  absl::StatusOr<std::string> String(absl::string_view field) const;  // required
  absl::StatusOr<std::string> StringOrEmpty(absl::string_view field) const;
  absl::StatusOr<std::optional<std::int64_t>> Integer(absl::string_view field) const;
  absl::StatusOr<bool> BooleanOrFalse(absl::string_view field) const;
  absl::StatusOr<std::optional<absl::Time>> Time(absl::string_view field) const;
  // The member's text as it stands in the line, oddities included; empty when missing or null.
  std::string Raw(absl::string_view field) const;
  // Raw, but of a string its value.
  std::string RawOrText(absl::string_view field) const;
  const json::Value& value() const { return value_; }

  // The value that stands beside the member's word in `words`; required.
  template <typename T, std::size_t N>
  absl::StatusOr<T> Choice(absl::string_view field,
                           const std::pair<absl::string_view, T> (&words)[N]) const {
    const std::string* word = value_.FindString(field);
    std::string wanted;
    for (const auto& [name, choice] : words) {
      if (word != nullptr && *word == name) return choice;
      if (!wanted.empty()) wanted += ", ";
      wanted += std::string(name);
    }
    return Refuse(field, wanted);
  }
  // FIELD_MISSING when the member is missing or null, else FIELD_MALFORMED.
  absl::Status Refuse(absl::string_view field, absl::string_view wanted) const;
  bool Has(absl::string_view field) const;

 private:
  absl::string_view text_;
  const json::Value& value_;
};

}  // namespace tally::observation

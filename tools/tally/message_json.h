// Messages as JSON for programs: names in lower camel case, enum values without their prefix, times
// RFC 3339 in UTC with microseconds. (Protobuf's own JSON knows neither of the last two.)
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "google/protobuf/message.h"
#include "google/protobuf/timestamp.pb.h"
#include "ledger/json/value.h"
#include "tools/tally/text.h"

namespace tally::cli {

// RAN_UNPAID for LABEL_RAN_UNPAID; empty for UNSPECIFIED.
template <typename Enum>
std::string WordOf(Enum value);
std::string WordOf(const google::protobuf::EnumValueDescriptor& value);

template <typename Enum>
std::string WordOf(Enum value) {
  const auto* found =
      google::protobuf::GetEnumDescriptor<Enum>()->FindValueByNumber(static_cast<int>(value));
  return found == nullptr ? "" : WordOf(*found);
}

// The value that the word names, in either case and with `-` for `_`; false when none does.
template <typename Enum>
bool ReadWord(absl::string_view word, Enum* value);
const google::protobuf::EnumValueDescriptor* FindWord(
    const google::protobuf::EnumDescriptor& descriptor, absl::string_view word);
// All words of the enum, "A, B, C".
std::string WordsOf(const google::protobuf::EnumDescriptor& descriptor);

template <typename Enum>
bool ReadWord(absl::string_view word, Enum* value) {
  const auto* found = FindWord(*google::protobuf::GetEnumDescriptor<Enum>(), word);
  if (found != nullptr) *value = static_cast<Enum>(found->number());
  return found != nullptr;
}

// null for an empty text.
json::Value TextOrNull(absl::string_view text);
json::Value TimeOrNull(bool is_there, const google::protobuf::Timestamp& time);

// All fields, nested messages and all, in the order of the contract; bytes are left out. What is
// empty or not set is null, but numbers and booleans that can't be unset have their value.
json::Object Fields(const google::protobuf::Message& message);

}  // namespace tally::cli

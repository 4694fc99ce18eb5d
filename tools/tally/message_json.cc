#include "tools/tally/message_json.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace tally::cli {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using google::protobuf::Timestamp;

// LIST_VIEW_ for ListView.
std::string PrefixOf(const EnumDescriptor& descriptor) {
  std::string prefix;
  for (const char c : descriptor.name()) {
    if (absl::ascii_isupper(static_cast<unsigned char>(c)) && !prefix.empty()) prefix += '_';
    prefix += absl::ascii_toupper(static_cast<unsigned char>(c));
  }
  return prefix + "_";
}

// What JavaScript can't hold exactly is text.
json::Value IntegerValue(std::int64_t integer) {
  constexpr std::int64_t kExactMax = (std::int64_t{1} << 53) - 1;
  if (integer > kExactMax || integer < -kExactMax) return json::Text(absl::StrCat(integer));
  return json::Value::Integer(integer);
}

json::Value MessageValue(const Message& message) {
  if (const auto* time = dynamic_cast<const Timestamp*>(&message); time != nullptr) {
    return TimeOrNull(true, *time);
  }
  return json::Value(Fields(message));
}

json::Value EnumValue(const EnumValueDescriptor* value) {
  return value == nullptr ? json::Value() : TextOrNull(WordOf(*value));
}

json::Value SingleValue(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  if (field.has_presence() && !reflection.HasField(message, &field)) return {};
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return json::Value(reflection.GetBool(message, &field));
    case FieldDescriptor::CPPTYPE_STRING:
      return TextOrNull(reflection.GetString(message, &field));
    case FieldDescriptor::CPPTYPE_ENUM:
      return EnumValue(reflection.GetEnum(message, &field));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return MessageValue(reflection.GetMessage(message, &field));
    case FieldDescriptor::CPPTYPE_INT32:
      return IntegerValue(reflection.GetInt32(message, &field));
    case FieldDescriptor::CPPTYPE_INT64:
      return IntegerValue(reflection.GetInt64(message, &field));
    case FieldDescriptor::CPPTYPE_UINT64:
      return IntegerValue(static_cast<std::int64_t>(reflection.GetUInt64(message, &field)));
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
      break;  // the contract has none
  }
  return {};
}

json::Value RepeatedValue(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  json::Array array;
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      array.push_back(MessageValue(reflection.GetRepeatedMessage(message, &field, i)));
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
      array.push_back(EnumValue(reflection.GetRepeatedEnum(message, &field, i)));
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      array.push_back(json::Text(reflection.GetRepeatedString(message, &field, i)));
    }
  }
  return json::Value(std::move(array));
}

}  // namespace

std::string WordOf(const EnumValueDescriptor& value) {
  if (value.number() == 0) return "";
  return std::string(absl::StripPrefix(value.name(), PrefixOf(*value.type())));
}

const EnumValueDescriptor* FindWord(const EnumDescriptor& descriptor, absl::string_view word) {
  const std::string name = absl::StrCat(
      PrefixOf(descriptor), absl::StrReplaceAll(absl::AsciiStrToUpper(word), {{"-", "_"}}));
  const EnumValueDescriptor* found = descriptor.FindValueByName(name);
  return found == nullptr || found->number() == 0 ? nullptr : found;
}

std::string WordsOf(const EnumDescriptor& descriptor) {
  std::string words;
  for (int i = 1; i < descriptor.value_count(); ++i) {
    absl::StrAppend(&words, i == 1 ? "" : ", ", WordOf(*descriptor.value(i)));
  }
  return words;
}

json::Value TextOrNull(absl::string_view text) {
  return text.empty() ? json::Value() : json::Text(text);
}

json::Value TimeOrNull(bool is_there, const Timestamp& time) {
  return TextOrNull(TimeText(is_there, time));
}

json::Object Fields(const Message& message) {
  const google::protobuf::Descriptor& descriptor = *message.GetDescriptor();
  json::Object object;
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor& field = *descriptor.field(i);
    if (field.type() == FieldDescriptor::TYPE_BYTES) continue;
    json::Put(object, field.json_name(),
              field.is_repeated() ? RepeatedValue(message, field) : SingleValue(message, field));
  }
  return object;
}

}  // namespace tally::cli

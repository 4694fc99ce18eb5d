#include "absl/strings/str_cat.h"
#include "ledger/json/escape.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

constexpr int kCompact = -1;  // in place of an indent

// Starts the line of a member or of a closing bracket; nothing in compact text.
void AppendLine(std::string& out, int indent) {
  if (indent == kCompact) return;
  out.push_back('\n');
  out.append(static_cast<std::size_t>(indent) * 2, ' ');
}

void Append(std::string& out, const Value& value, int indent);

void AppendArray(std::string& out, const Array& array, int indent) {
  if (array.empty()) {
    absl::StrAppend(&out, "[]");
    return;
  }
  const int inner = indent == kCompact ? kCompact : indent + 1;
  char separator = '[';
  for (const Value& value : array) {
    out.push_back(separator);
    AppendLine(out, inner);
    Append(out, value, inner);
    separator = ',';
  }
  AppendLine(out, indent);
  out.push_back(']');
}

void AppendObject(std::string& out, const Object& object, int indent) {
  if (object.empty()) {
    absl::StrAppend(&out, "{}");
    return;
  }
  const int inner = indent == kCompact ? kCompact : indent + 1;
  char separator = '{';
  for (const auto& [key, value] : object) {
    out.push_back(separator);
    AppendLine(out, inner);
    AppendLiteral(out, key);
    absl::StrAppend(&out, indent == kCompact ? ":" : ": ");
    Append(out, value, inner);
    separator = ',';
  }
  AppendLine(out, indent);
  out.push_back('}');
}

void Append(std::string& out, const Value& value, int indent) {
  switch (value.kind()) {
    case Kind::kNull:
      absl::StrAppend(&out, "null");
      return;
    case Kind::kBoolean:
      absl::StrAppend(&out, *value.boolean() ? "true" : "false");
      return;
    case Kind::kNumber:
      absl::StrAppend(&out, value.number()->text);
      return;
    case Kind::kString:
      AppendLiteral(out, *value.string());
      return;
    case Kind::kArray:
      AppendArray(out, *value.array(), indent);
      return;
    case Kind::kObject:
      AppendObject(out, *value.object(), indent);
      return;
  }
}

}  // namespace

std::string Write(const Value& value) {
  std::string out;
  Append(out, value, kCompact);
  return out;
}

std::string WritePretty(const Value& value) {
  std::string out;
  Append(out, value, 0);
  return out;
}

}  // namespace tally::json

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/decimal.h"
#include "ledger/json/escape.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

using Member = Object::value_type;

// UTF-8 sorts as code points do, UTF-16 puts the surrogate pairs (lead bytes F0 to F4) before
// U+E000 to U+FFFF (lead bytes EE and EF). Moving those two bytes to the end gives the order of
// UTF-16.
unsigned Utf16Weight(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0xee || byte == 0xef ? byte + 0x100u : byte;
}

bool IsBefore(const Member* a, const Member* b) {
  return std::lexicographical_compare(
      a->first.begin(), a->first.end(), b->first.begin(), b->first.end(),
      [](char x, char y) { return Utf16Weight(x) < Utf16Weight(y); });
}

class Writer {
 public:
  explicit Writer(NumberPolicy policy) : policy_(policy) {}

  absl::Status Append(const Value& value) {
    switch (value.kind()) {
      case Kind::kNull:
        absl::StrAppend(&out_, "null");
        return absl::OkStatus();
      case Kind::kBoolean:
        absl::StrAppend(&out_, *value.boolean() ? "true" : "false");
        return absl::OkStatus();
      case Kind::kNumber:
        return AppendNumber(*value.number());
      case Kind::kString:
        return AppendText(*value.string());
      case Kind::kArray:
        return AppendArray(*value.array());
      case Kind::kObject:
        return AppendObject(*value.object());
    }
    return absl::OkStatus();
  }

  std::string Take() && { return std::move(out_); }

 private:
  absl::Status AppendNumber(const Number& number) {
    const std::optional<Decimal> written = ParseDecimal(number.text);
    const double value = number.AsDouble();
    if (!written.has_value() || !std::isfinite(value)) {
      return Error(Reason::kDocumentMalformed, "a number that no double holds")
          .With("number", number.text.substr(0, 80));
    }
    const Decimal held = ShortestDecimal(value);
    const bool is_exact = written->digits == held.digits && written->exponent == held.exponent;
    if (policy_ == NumberPolicy::kExact && !is_exact) {
      return Error(Reason::kDocumentMalformed, "a number that a double does not hold exactly")
          .With("number", number.text.substr(0, 80));
    }
    absl::StrAppend(&out_, ToEcmaScript(held));
    return absl::OkStatus();
  }

  absl::Status AppendText(const std::string& text) {
    if (!IsValidUtf8(text)) return Error(Reason::kDocumentMalformed, "text that is not UTF-8");
    AppendLiteral(out_, text);
    return absl::OkStatus();
  }

  absl::Status AppendArray(const Array& array) {
    absl::string_view separator = "[";
    for (const Value& value : array) {
      absl::StrAppend(&out_, separator);
      TALLY_RETURN_IF_ERROR(Append(value));
      separator = ",";
    }
    absl::StrAppend(&out_, array.empty() ? "[]" : "]");
    return absl::OkStatus();
  }

  absl::Status AppendObject(const Object& object) {
    std::vector<const Member*> members;
    members.reserve(object.size());
    for (const Member& member : object) members.push_back(&member);
    std::sort(members.begin(), members.end(), IsBefore);
    absl::string_view separator = "{";
    for (const Member* const member : members) {
      absl::StrAppend(&out_, separator);
      TALLY_RETURN_IF_ERROR(AppendText(member->first));
      absl::StrAppend(&out_, ":");
      TALLY_RETURN_IF_ERROR(Append(member->second));
      separator = ",";
    }
    absl::StrAppend(&out_, object.empty() ? "{}" : "}");
    return absl::OkStatus();
  }

  NumberPolicy policy_;
  std::string out_;
};

}  // namespace

absl::StatusOr<std::string> Canonical(const Value& value, NumberPolicy policy) {
  Writer writer(policy);
  TALLY_RETURN_IF_ERROR(writer.Append(value));
  return std::move(writer).Take();
}

}  // namespace tally::json

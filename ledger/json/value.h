// JSON text as JavaScript reads it, with its oddities kept: the last duplicate key wins and is
// named, numbers keep their text. RFC 8785 (JCS) out. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally::json {

class Value;
using Array = std::vector<Value>;
// Keys in order of first appearance.
using Object = std::vector<std::pair<std::string, Value>>;

struct Number {
  std::string text;  // as written, such as "2.0" or "9007199254740993"
  // What JavaScript reads: infinity when beyond a double, NaN when the text is no number.
  double AsDouble() const;
  // The integer this number is to JavaScript ("2.0" is 2); nullopt if it is none or beyond ±(2^53 −
  // 1).
  std::optional<std::int64_t> AsInteger() const;
};

enum class Kind { kNull, kBoolean, kNumber, kString, kArray, kObject };

class Value {
 public:
  Value() = default;  // null
  explicit Value(bool boolean) : data_(boolean) {}
  explicit Value(Number number) : data_(std::move(number)) {}
  explicit Value(std::string string) : data_(std::move(string)) {}
  explicit Value(Array array) : data_(std::move(array)) {}
  explicit Value(Object object) : data_(std::move(object)) {}
  static Value Integer(std::int64_t integer);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_null() const { return kind() == Kind::kNull; }

  // Null pointer when this is of another kind.
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const Number* number() const { return std::get_if<Number>(&data_); }
  const std::string* string() const { return std::get_if<std::string>(&data_); }
  const Array* array() const { return std::get_if<Array>(&data_); }
  const Object* object() const { return std::get_if<Object>(&data_); }
  Array* mutable_array() { return std::get_if<Array>(&data_); }
  Object* mutable_object() { return std::get_if<Object>(&data_); }

  // The member, or a null pointer when this is no object or has no such key.
  const Value* Find(absl::string_view key) const;
  // Find along a path of keys.
  const Value* Find(std::initializer_list<absl::string_view> path) const;
  // The member's string, or nullptr.
  const std::string* FindString(absl::string_view key) const;
  // JavaScript's truthiness.
  bool IsTruthy() const;

 private:
  std::variant<std::monostate, bool, Number, std::string, Array, Object> data_;
};

struct Document {
  Value value;
  // JSON pointers (RFC 6901) of keys that came more than once, inner objects first. The first is
  // always named; later ones only while all names together are no longer than the text.
  std::vector<std::string> duplicate_keys;
};

inline constexpr std::size_t kDepthMax = 64;

// As JavaScript reads it: half a surrogate pair is U+FFFD, a number beyond a double (1e999) is one
// all the same. DOCUMENT_MALFORMED with metadata "byte" (the offset) when it is not JSON, not
// UTF-8, begins with a byte order mark, or is followed by anything but white space; LIMIT_EXCEEDED
// when deeper than `depth_max`. Memory is proportional to the text.
absl::StatusOr<Document> Parse(absl::string_view text, std::size_t depth_max = kDepthMax);

enum class NumberPolicy {
  kExact,         // a number that a double does not hold exactly is DOCUMENT_MALFORMED
  kAsJavaScript,  // such a number is written as JavaScript would read it
};

// RFC 8785: members sorted by UTF-16 code units, ECMAScript numbers, minimal escapes. A double
// holds a number exactly when it prints back with the same digits and exponent (0.1 and 1e2 do,
// 2^53 + 1 does not). DOCUMENT_MALFORMED for a number beyond a double and for text that is not
// UTF-8.
absl::StatusOr<std::string> Canonical(const Value& value, NumberPolicy policy);

// Compact text for people and programs, members in their own order, numbers as written. Bytes that
// are not UTF-8 become U+FFFD.
std::string Write(const Value& value);
// The same with two spaces an indent.
std::string WritePretty(const Value& value);

// Builds objects without ceremony: Object out; Put(out, "label", Text("PAID")).
// Put replaces the value of a key that is there.
Value Text(absl::string_view text);
void Put(Object& object, absl::string_view key, Value value);

}  // namespace tally::json

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ledger/base/error.h"
#include "ledger/json/big_numbers.h"
#include "ledger/json/surrogates.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

absl::Status Malformed(std::size_t byte, absl::string_view why) {
  return Error(Reason::kDocumentMalformed, absl::StrCat("not JSON at byte ", byte, ": ", why))
      .With("byte", absl::StrCat(byte));
}

// Only the tokenizer's own words: what it read is not always UTF-8.
absl::string_view WordsOf(absl::string_view message) {
  const std::size_t start = message.find(" - ");
  if (start != absl::string_view::npos) message.remove_prefix(start + 3);
  return message.substr(0, message.find("; last read"));
}

// A container whose end has not come yet.
struct Open {
  Value container;
  std::string key;  // of the member being read, if this is an object
};

// Builds a Value from the events of nlohmann-json's parser, which keeps its own stack on the heap.
class Builder {
 public:
  using BigNumbers = std::map<std::size_t, std::string>;

  // `big_numbers`: what stands for others in the text, by place among its numbers.
  Builder(std::size_t depth_max, std::size_t text_bytes, BigNumbers big_numbers = {})
      : depth_max_(depth_max),
        names_bytes_left_(text_bytes),
        big_numbers_(std::move(big_numbers)) {}

  bool null() { return Add(Value()); }
  bool boolean(bool value) { return Add(Value(value)); }
  // Only a number with a minus sign comes here, so that zero was written -0.
  bool number_integer(std::int64_t value) {
    return AddNumber(value == 0 ? "-0" : std::to_string(value));
  }
  bool number_unsigned(std::uint64_t value) { return AddNumber(std::to_string(value)); }
  bool number_float(double /*value*/, std::string lexeme) {
    // The tokenizer writes the decimal point of the C locale of the process.
    const std::size_t point = lexeme.find_first_not_of("0123456789+-eE");
    if (point != std::string::npos) lexeme[point] = '.';
    return AddNumber(std::move(lexeme));
  }
  bool string(std::string& value) { return Add(Value(std::move(value))); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }

  bool start_object(std::size_t /*size*/) { return Start(Value(Object())); }
  bool key(std::string& key) {
    open_.back().key = std::move(key);
    return true;
  }
  bool end_object() {
    Object* const object = open_.back().container.mutable_object();
    if (object != nullptr) MergeDuplicates(*object);
    return End();
  }
  bool start_array(std::size_t /*size*/) { return Start(Value(Array())); }
  bool end_array() { return End(); }

  bool parse_error(std::size_t byte, const std::string& /*token*/,
                   const nlohmann::json::exception& error) {
    constexpr int kNumberOverflow = 406;
    has_big_number_ = error.id == kNumberOverflow;
    status_ = Malformed(byte, WordsOf(error.what()));
    return false;
  }

  const absl::Status& status() const { return status_; }
  // Why it failed: a number that no double holds.
  bool has_big_number() const { return has_big_number_; }
  Document Take() && { return std::move(document_); }

 private:
  bool Start(Value container) {
    if (open_.size() == depth_max_) {
      status_ = Error(Reason::kLimitExceeded,
                      absl::StrCat("the document is nested deeper than ", depth_max_))
                    .With("limit", absl::StrCat(depth_max_));
      return false;
    }
    open_.push_back({std::move(container), {}});
    return true;
  }

  bool End() {
    Value container = std::move(open_.back().container);
    open_.pop_back();
    return Add(std::move(container));
  }

  bool AddNumber(std::string text) {
    const auto big = big_numbers_.find(numbers_++);
    return Add(Value(Number{big == big_numbers_.end() ? std::move(text) : big->second}));
  }

  bool Add(Value value) {
    if (open_.empty()) {
      document_.value = std::move(value);
      return true;
    }
    Open& parent = open_.back();
    if (Array* const array = parent.container.mutable_array(); array != nullptr) {
      array->push_back(std::move(value));
    } else if (Object* const object = parent.container.mutable_object(); object != nullptr) {
      object->emplace_back(std::move(parent.key), std::move(value));
    }
    return true;
  }

  // Sorting keeps an object with a million members cheap, which looking each key up would not.
  void MergeDuplicates(Object& object) {
    if (object.size() < 2) return;
    std::vector<std::size_t> order(object.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&object](std::size_t a, std::size_t b) {
      const int difference = object[a].first.compare(object[b].first);
      return difference != 0 ? difference < 0 : a < b;
    });
    std::vector<bool> is_dropped(object.size());
    std::vector<std::size_t> repeated;
    std::size_t first = 0;  // position in `order` of the run's first member
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (object[order[i]].first != object[order[first]].first) {
        first = i;
        continue;
      }
      if (i == first + 1) repeated.push_back(order[first]);
      object[order[first]].second = std::move(object[order[i]].second);
      is_dropped[order[i]] = true;
    }
    if (repeated.empty()) return;
    std::sort(repeated.begin(), repeated.end());
    for (const std::size_t member : repeated) NameDuplicate(object[member].first);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < object.size(); ++i) {
      if (is_dropped[i]) continue;
      if (kept != i) object[kept] = std::move(object[i]);
      ++kept;
    }
    object.resize(kept);
  }

  // A long outer key repeated in the name of each inner one would make much memory of little text.
  void NameDuplicate(absl::string_view key) {
    if (names_bytes_left_ == 0) return;
    std::string pointer;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const Array* const array = open_[i].container.array();
      AppendToPointer(pointer, array != nullptr ? absl::StrCat(array->size()) : open_[i].key);
    }
    AppendToPointer(pointer, key);
    names_bytes_left_ -= std::min(names_bytes_left_, pointer.size());
    if (names_bytes_left_ > 0 || document_.duplicate_keys.empty()) {
      document_.duplicate_keys.push_back(std::move(pointer));
    }
  }

  static void AppendToPointer(std::string& pointer, absl::string_view token) {
    absl::StrAppend(&pointer, "/", absl::StrReplaceAll(token, {{"~", "~0"}, {"/", "~1"}}));
  }

  std::size_t depth_max_;
  std::size_t names_bytes_left_;
  BigNumbers big_numbers_;
  std::size_t numbers_ = 0;
  bool has_big_number_ = false;
  std::vector<Open> open_;
  Document document_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<Document> Parse(absl::string_view text, std::size_t depth_max) {
  // The tokenizer skips a byte order mark and takes a zero byte for the end of the text.
  if (absl::StartsWith(text, "\xef\xbb\xbf")) return Malformed(0, "a byte order mark");
  if (const std::size_t zero = text.find('\0'); zero != absl::string_view::npos) {
    return Malformed(zero, "a zero byte");
  }
  std::string replaced;
  if (absl::StrContains(text, "\\ud") || absl::StrContains(text, "\\uD")) {
    replaced = ReplaceHalfSurrogates(text);
    text = replaced;
  }
  WithoutBigNumbers without;
  Builder builder(depth_max, text.size());
  bool is_read = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  if (!is_read && builder.has_big_number()) {
    // Rare, so that only such a text is read twice.
    without = TakeBigNumbers(text);
    builder = Builder(depth_max, text.size(), std::move(without.taken));
    text = without.text;
    is_read = nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  }
  if (!builder.status().ok()) return builder.status();
  if (!is_read) return Malformed(text.size(), "the parser stopped");
  return std::move(builder).Take();
}

}  // namespace tally::json

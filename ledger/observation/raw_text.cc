#include "ledger/observation/raw_text.h"

#include <cstddef>

#include "ledger/json/value.h"

namespace tally::observation {
namespace {

// The text is known to be JSON, so the walk needs no errors.
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

}  // namespace

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

std::vector<absl::string_view> ElementTexts(absl::string_view text) {
  std::vector<absl::string_view> out;
  std::size_t at = SkipBlanks(text, SkipBlanks(text, 0) + 1);
  while (at < text.size() && text[at] != ']') {
    const std::size_t end = EndOfValue(text, at);
    out.push_back(text.substr(at, end - at));
    at = SkipBlanks(text, end);
    if (at < text.size() && text[at] == ',') at = SkipBlanks(text, at + 1);
  }
  return out;
}

}  // namespace tally::observation

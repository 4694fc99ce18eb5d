#include "ledger/json/escape.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/base/encoding.h"

namespace tally::json {
namespace {

void AppendAscii(std::string& out, char c) {
  switch (c) {
    case '"':
      absl::StrAppend(&out, "\\\"");
      return;
    case '\\':
      absl::StrAppend(&out, "\\\\");
      return;
    case '\b':
      absl::StrAppend(&out, "\\b");
      return;
    case '\f':
      absl::StrAppend(&out, "\\f");
      return;
    case '\n':
      absl::StrAppend(&out, "\\n");
      return;
    case '\r':
      absl::StrAppend(&out, "\\r");
      return;
    case '\t':
      absl::StrAppend(&out, "\\t");
      return;
    default:
      if (c < 0x20) {
        absl::StrAppendFormat(&out, "\\u%04x", static_cast<unsigned>(c));
      } else {
        out.push_back(c);
      }
  }
}

}  // namespace

void AppendLiteral(std::string& out, absl::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const std::size_t size = Utf8CharacterBytes(text);
    if (size == 1) {
      AppendAscii(out, text[0]);
    } else if (size == 0) {
      absl::StrAppend(&out, "\xef\xbf\xbd");
    } else {
      absl::StrAppend(&out, text.substr(0, size));
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  out.push_back('"');
}

}  // namespace tally::json

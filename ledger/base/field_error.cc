#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

constexpr int kSeenCharactersMax = 80;

void AppendPrintable(std::string& out, absl::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character == "\n") {
    absl::StrAppend(&out, "\\n");
  } else if (character == "\r") {
    absl::StrAppend(&out, "\\r");
  } else if (character == "\t") {
    absl::StrAppend(&out, "\\t");
  } else if (character.size() == 1 && (first < 0x20 || first >= 0x7f)) {
    absl::StrAppendFormat(&out, "\\x%02x", first);
  } else if (first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0) {
    // U+0080 to U+009F, which terminals may obey.
    absl::StrAppendFormat(&out, "\\u00%02x", static_cast<unsigned char>(character[1]));
  } else {
    absl::StrAppend(&out, character);
  }
}

// What a caller sent goes into logs and terminals, so it is cut and can't steer them.
std::string Printable(absl::string_view text) {
  std::string out;
  for (int characters = 0; !text.empty(); ++characters) {
    if (characters == kSeenCharactersMax) return absl::StrCat(out, "…");
    const std::size_t size = std::max<std::size_t>(Utf8CharacterBytes(text), 1);
    AppendPrintable(out, text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

absl::Status FieldError(absl::string_view field, absl::string_view seen, absl::string_view wanted,
                        absl::string_view condition) {
  const std::string printable = Printable(seen);
  Error error = Error(Reason::kFieldMalformed,
                      absl::StrCat(field, ": saw \"", printable, "\", wanted ", wanted))
                    .With("field", field)
                    .With("seen", printable)
                    .With("wanted", wanted);
  if (!condition.empty()) error.With("condition", condition);
  return error;
}

absl::Status InField(absl::string_view parent, const absl::Status& status) {
  const std::optional<Reason> reason = ReasonOf(status);
  if (!reason.has_value()) return status;
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  const auto found = metadata.find("field");
  if (found == metadata.end()) return status;
  const std::string& field = found->second;
  const std::string path = absl::StrCat(parent, absl::StartsWith(field, "[") ? "" : ".", field);

  absl::string_view rest = status.message();
  const std::string named = absl::StrCat(field, ": ");
  if (absl::StartsWith(rest, named)) rest.remove_prefix(named.size());
  Error error(*reason, absl::StrCat(path, ": ", rest));
  for (const auto& [key, value] : metadata) {
    error.With(key, key == "field" ? path : value);
  }
  return error;
}

}  // namespace tally

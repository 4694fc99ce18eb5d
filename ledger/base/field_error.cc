#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/printable.h"

namespace tally {
namespace {

// What a caller sent goes into logs and terminals, so it is cut and can't steer them.
constexpr std::size_t kSeenCharactersMax = 80;

}  // namespace

absl::Status FieldError(absl::string_view field, absl::string_view seen, absl::string_view wanted,
                        absl::string_view condition) {
  const std::string printable = Printable(seen, kSeenCharactersMax);
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

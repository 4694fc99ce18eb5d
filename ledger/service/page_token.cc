#include "ledger/service/page_token.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"
#include "ledger/crypto/sha256.h"

namespace tally::service {
namespace {

constexpr absl::string_view kVersion = "p1";

std::string HashOf(absl::string_view query) { return crypto::Sha256Hex(query).substr(0, 32); }

absl::Status Invalid() {
  return Error(Reason::kPageTokenInvalid,
               "page_token: not a token of this query; start again without one")
      .With("field", "page_token");
}

}  // namespace

std::string EncodePageToken(absl::string_view query, const ListPlace& place) {
  return Base64Encode(absl::StrCat(kVersion, "\n", HashOf(query), "\n",
                                   absl::ToUnixMicros(place.first), "\n",
                                   static_cast<int>(place.second.kind), "\n", place.second.key));
}

absl::StatusOr<ListPlace> DecodePageToken(absl::string_view query, const std::string& token) {
  const absl::StatusOr<std::string> text = Base64Decode(token);
  if (!text.ok()) return Invalid();
  const std::vector<std::string> parts = absl::StrSplit(*text, absl::MaxSplits('\n', 4));
  if (parts.size() != 5 || parts[0] != kVersion || parts[1] != HashOf(query)) return Invalid();
  std::int64_t micros = 0;
  int kind = 0;
  if (!absl::SimpleAtoi(parts[2], &micros) || !absl::SimpleAtoi(parts[3], &kind)) return Invalid();
  if (kind < 0 || kind > static_cast<int>(settlement::SubjectKind::kSlot)) return Invalid();
  return ListPlace(absl::FromUnixMicros(micros),
                   settlement::Subject{static_cast<settlement::SubjectKind>(kind), parts[4]});
}

}  // namespace tally::service

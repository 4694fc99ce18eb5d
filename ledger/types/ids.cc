#include "ledger/types/ids.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

constexpr absl::string_view kSettlementPrefix = "sha256:";
constexpr absl::string_view kChallengePrefix = "chl_";
constexpr std::size_t kSettlementDigits = 64;
constexpr std::size_t kChallengeCharacters = 26;
constexpr std::size_t kChallengeBytes = 16;  // which 26 characters of base32 hold

bool IsPrefixed(absl::string_view text, absl::string_view prefix, std::size_t size,
                absl::string_view alphabet) {
  return absl::StartsWith(text, prefix) && text.size() == prefix.size() + size &&
         text.find_first_not_of(alphabet, prefix.size()) == absl::string_view::npos;
}

}  // namespace

absl::StatusOr<SettlementId> SettlementId::Parse(absl::string_view text) {
  if (!IsPrefixed(text, kSettlementPrefix, kSettlementDigits, "0123456789abcdef")) {
    return FieldError("settlement_id", text, "sha256: and 64 lower-case hex digits");
  }
  return SettlementId(std::string(text));
}

absl::StatusOr<ChallengeId> ChallengeId::Parse(absl::string_view text) {
  if (!IsPrefixed(text, kChallengePrefix, kChallengeCharacters,
                  "abcdefghijklmnopqrstuvwxyz234567")) {
    return FieldError("challenge_id", text, "chl_ and 26 lower-case base32 characters");
  }
  return ChallengeId(std::string(text));
}

ChallengeId ChallengeId::FromBytes(absl::string_view bytes) {
  std::string head(bytes.substr(0, kChallengeBytes));
  head.resize(kChallengeBytes);
  return ChallengeId(absl::StrCat(kChallengePrefix, Base32Encode(head)));
}

bool Disagree(const Resource& a, const Resource& b) {
  return a.is_known() && b.is_known() && a != b;
}

}  // namespace tally

#include "ledger/types/uint256.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

using Limbs = std::array<std::uint64_t, 4>;
// Twice the width, so that no sum and no text of 78 digits can overflow while it is being judged.
using Wide = boost::multiprecision::uint512_t;

constexpr std::size_t kDigitsMax = 78;   // of 2^256 − 1
constexpr std::size_t kDigitsIn64 = 19;  // any such number is below 2^64

Wide ToWide(const Limbs& limbs) {
  Wide wide = 0;
  for (const std::uint64_t limb : limbs) wide = (wide << 64) | limb;
  return wide;
}

std::optional<Limbs> FromWide(Wide wide) {
  Limbs limbs = {};
  for (auto limb = limbs.rbegin(); limb != limbs.rend(); ++limb) {
    *limb = static_cast<std::uint64_t>(wide & std::numeric_limits<std::uint64_t>::max());
    wide >>= 64;
  }
  if (wide != 0) return std::nullopt;
  return limbs;
}

bool FitsIn64(const Limbs& limbs) { return limbs[0] == 0 && limbs[1] == 0 && limbs[2] == 0; }

bool IsCanonicalDecimal(absl::string_view text) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

}  // namespace

absl::StatusOr<Uint256> Uint256::Parse(absl::string_view text) {
  if (!IsCanonicalDecimal(text)) {
    return FieldError("amount", text, "digits without a leading zero", "not_canonical_decimal");
  }
  std::uint64_t small = 0;
  if (text.size() <= kDigitsIn64 && absl::SimpleAtoi(text, &small)) return Uint256(small);
  if (text.size() <= kDigitsMax) {
    const std::optional<Limbs> limbs = FromWide(Wide(std::string(text)));
    if (limbs.has_value()) return Uint256(*limbs);
  }
  return FieldError("amount", text, "at most 2^256 - 1", "exceeds_uint256");
}

std::string Uint256::ToString() const {
  return FitsIn64(limbs_) ? absl::StrCat(limbs_[3]) : ToWide(limbs_).str();
}

std::optional<Uint256> Uint256::Plus(const Uint256& other) const {
  const std::optional<Limbs> sum = FromWide(ToWide(limbs_) + ToWide(other.limbs_));
  if (!sum.has_value()) return std::nullopt;
  return Uint256(*sum);
}

std::optional<Uint256> Uint256::Minus(const Uint256& other) const {
  if (*this < other) return std::nullopt;
  const std::optional<Limbs> difference = FromWide(ToWide(limbs_) - ToWide(other.limbs_));
  if (!difference.has_value()) return std::nullopt;
  return Uint256(*difference);
}

Uint256 Uint256::WithoutLowByte() const {
  Limbs limbs = {};
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const std::uint64_t carried = i == 0 ? 0 : limbs_[i - 1] << 56;
    limbs[i] = carried | limbs_[i] >> 8;
  }
  return Uint256(limbs);
}

std::optional<std::int64_t> Uint256::ToInt64() const {
  if (!FitsIn64(limbs_) || limbs_[3] > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(limbs_[3]);
}

std::string FormatUnits(const Uint256& amount, int decimals) {
  std::string digits = amount.ToString();
  if (decimals <= 0) return digits;
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace tally

// Amounts and chain words: 256-bit unsigned integers in atomic units. No float anywhere.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

class Uint256 {
 public:
  Uint256() = default;
  explicit Uint256(std::uint64_t value) : value_(value) {}

  // Canonical decimal only: "0" or no leading zero, digits alone, at most 2^256 − 1. FIELD_MALFORMED
  // (field "amount") otherwise; metadata "condition" is not_canonical_decimal or exceeds_uint256.
  static absl::StatusOr<Uint256> Parse(absl::string_view text);

  std::string ToString() const { return value_.str(); }
  // nullopt on overflow, or below zero.
  std::optional<Uint256> Plus(const Uint256& other) const;
  std::optional<Uint256> Minus(const Uint256& other) const;
  // nullopt when it does not fit.
  std::optional<std::int64_t> ToInt64() const;

  friend bool operator==(const Uint256& a, const Uint256& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Uint256& a, const Uint256& b) {
    return a.value_ < b.value_   ? std::strong_ordering::less
           : a.value_ > b.value_ ? std::strong_ordering::greater
                                 : std::strong_ordering::equal;
  }

 private:
  using Word = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<
      256, 256, boost::multiprecision::unsigned_magnitude, boost::multiprecision::checked, void>>;
  Word value_ = 0;
};

// "0.01" for 10000 with 6 decimals; never scientific, no trailing zeros.
std::string FormatUnits(const Uint256& amount, int decimals);
// Decimals and symbol of known (network, asset) pairs; nullopt when not in the cited table.
struct AssetInfo {
  absl::string_view symbol;
  int decimals;
};
std::optional<AssetInfo> FindAsset(absl::string_view network, absl::string_view asset);

}  // namespace tally

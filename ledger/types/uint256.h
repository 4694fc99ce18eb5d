// Amounts and chain words: 256-bit unsigned integers in atomic units. No float anywhere.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

class Uint256 {
 public:
  Uint256() = default;
  explicit Uint256(std::uint64_t value) : limbs_{0, 0, 0, value} {}

  // Canonical decimal only: "0" or no leading zero, digits alone, at most 2^256 − 1.
  // FIELD_MALFORMED (field "amount") otherwise; metadata "condition" is not_canonical_decimal or
  // exceeds_uint256.
  static absl::StatusOr<Uint256> Parse(absl::string_view text);

  std::string ToString() const;
  // nullopt on overflow, or below zero.
  std::optional<Uint256> Plus(const Uint256& other) const;
  std::optional<Uint256> Minus(const Uint256& other) const;
  // What Permit2 keeps a nonce under: all but its low byte, as a number, and that byte.
  Uint256 WithoutLowByte() const;
  int low_byte() const { return static_cast<int>(limbs_[3] & 0xff); }
  // nullopt when it does not fit.
  std::optional<std::int64_t> ToInt64() const;

  friend auto operator<=>(const Uint256&, const Uint256&) = default;

 private:
  // Most significant first, so that the order of the limbs is the order of the values.
  using Limbs = std::array<std::uint64_t, 4>;
  explicit Uint256(const Limbs& limbs) : limbs_(limbs) {}
  Limbs limbs_ = {};
};

// "0.01" for 10000 with 6 decimals; never scientific, no trailing zeros. Decimals below 0 count as
// 0.
std::string FormatUnits(const Uint256& amount, int decimals);

struct AssetInfo {
  absl::string_view symbol;
  int decimals;
};
// Decimals and symbol of known (CAIP-2 network, asset) pairs, EVM assets in either case; nullopt
// when not in the cited table.
std::optional<AssetInfo> FindAsset(absl::string_view network, absl::string_view asset);

}  // namespace tally

// Domain enums and their v1 values: how the tables of event_enums.h and answer_enums.h are used.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

namespace tally::protocol {

template <typename Domain, typename Proto>
struct EnumPair {
  Domain domain;
  Proto proto;
};

// One row for each value of `Domain`, in enum order. Specialised for every enum that crosses the
// wire.
template <typename Domain>
constexpr std::nullptr_t kEnumTable = nullptr;

template <typename Domain>
constexpr bool IsInEnumOrder() {
  std::size_t index = 0;
  for (const auto& row : kEnumTable<Domain>) {
    if (static_cast<std::size_t>(row.domain) != index || static_cast<std::size_t>(row.proto) == 0) {
      return false;
    }
    ++index;
  }
  return true;
}

// The v1 value: LABEL_RAN_UNPAID for Label::kRanUnpaid.
template <typename Domain>
requires std::is_enum_v<Domain>
constexpr auto ToProto(Domain value) {
  static_assert(IsInEnumOrder<Domain>());
  return kEnumTable<Domain>[static_cast<std::size_t>(value)].proto;
}

// nullopt for UNSPECIFIED and for numbers that this binary does not know.
template <typename Domain, typename Proto>
requires std::is_enum_v<Proto>
constexpr std::optional<Domain> FromProto(Proto value) {
  for (const auto& row : kEnumTable<Domain>) {
    if (row.proto == value) return row.domain;
  }
  return std::nullopt;
}

}  // namespace tally::protocol

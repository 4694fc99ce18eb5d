// Chains and what lives on them: CAIP-2 network ids, V1 network aliases, EVM addresses and 32-byte
// words.
#pragma once

#include <compare>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

// A CAIP-2 chain id: `eip155:8453`, `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`.
class Network {
 public:
  Network() = default;
  // namespace [-a-z0-9]{3,8}, reference [-_a-zA-Z0-9]{1,32}; for eip155 the reference is
  // [1-9][0-9]*. FIELD_MALFORMED (field "network") otherwise; metadata "condition":
  // network_not_caip2.
  static absl::StatusOr<Network> Parse(absl::string_view text);
  // Parse, or a V1 name through the alias table (X402 V1: `base` is eip155:8453). Metadata
  // "condition": network_unknown_alias when it has no colon and no alias.
  static absl::StatusOr<Network> ParseOrAlias(absl::string_view text);

  const std::string& text() const { return text_; }
  bool is_evm() const { return text_.rfind("eip155:", 0) == 0; }
  friend auto operator<=>(const Network&, const Network&) = default;

 private:
  explicit Network(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// An EVM address, kept in lower case: checksum case carries no meaning here.
class Address {
 public:
  Address() = default;
  // `0x` and exactly 40 hex digits of either case. FIELD_MALFORMED (field "address") otherwise.
  static absl::StatusOr<Address> Parse(absl::string_view text);
  const std::string& text() const { return text_; }
  friend auto operator<=>(const Address&, const Address&) = default;

 private:
  explicit Address(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// `0x` and 64 hex digits, kept in lower case: an EIP-3009 nonce, a chain tx hash, a block hash.
class Bytes32 {
 public:
  Bytes32() = default;
  // FIELD_MALFORMED (field "bytes32") otherwise.
  static absl::StatusOr<Bytes32> Parse(absl::string_view text);
  const std::string& text() const { return text_; }
  friend auto operator<=>(const Bytes32&, const Bytes32&) = default;

 private:
  explicit Bytes32(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace tally

#include "ledger/types/chain.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

struct Alias {
  absl::string_view name;
  absl::string_view network;
};

// Source: x402 V1 network names.
constexpr Alias kAliases[] = {
    {"abstract", "eip155:2741"},
    {"abstract-testnet", "eip155:11124"},
    {"avalanche", "eip155:43114"},
    {"avalanche-fuji", "eip155:43113"},
    {"base", "eip155:8453"},
    {"base-sepolia", "eip155:84532"},
    {"celo", "eip155:42220"},
    {"educhain", "eip155:41923"},
    {"ethereum", "eip155:1"},
    {"flare", "eip155:14"},
    {"iotex", "eip155:4689"},
    {"megaeth", "eip155:4326"},
    {"monad", "eip155:143"},
    {"monad-testnet", "eip155:10143"},
    {"peaq", "eip155:3338"},
    {"polygon", "eip155:137"},
    {"polygon-amoy", "eip155:80002"},
    {"sei", "eip155:1329"},
    {"sei-testnet", "eip155:1328"},
    {"sepolia", "eip155:11155111"},
    {"skale-base-sepolia", "eip155:324705682"},
    {"solana", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"},
    {"solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"},
    {"stable", "eip155:988"},
    {"stable-testnet", "eip155:2201"},
    {"story", "eip155:1514"},
};

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }
bool IsHexDigit(char c) { return absl::ascii_isxdigit(static_cast<unsigned char>(c)); }
bool IsNamespaceCharacter(char c) {
  return c == '-' || IsDigit(c) || absl::ascii_islower(static_cast<unsigned char>(c));
}
bool IsReferenceCharacter(char c) {
  return c == '-' || c == '_' || absl::ascii_isalnum(static_cast<unsigned char>(c));
}

// Every character is of the class, and there are `low` to `high` of them.
template <typename Predicate>
bool Consists(absl::string_view text, std::size_t low, std::size_t high, Predicate is_in_class) {
  return text.size() >= low && text.size() <= high &&
         std::all_of(text.begin(), text.end(), is_in_class);
}

// CAIP-2, and for eip155 the decimal form of EIP-155 without a leading zero.
bool IsCaip2(absl::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == absl::string_view::npos) return false;
  const absl::string_view space = text.substr(0, colon);
  const absl::string_view reference = text.substr(colon + 1);
  if (!Consists(space, 3, 8, IsNamespaceCharacter)) return false;
  if (space == "eip155") return Consists(reference, 1, 32, IsDigit) && reference[0] != '0';
  return Consists(reference, 1, 32, IsReferenceCharacter);
}

bool IsPrefixedHex(absl::string_view text, std::size_t digits) {
  return absl::StartsWith(text, "0x") && Consists(text.substr(2), digits, digits, IsHexDigit);
}

}  // namespace

absl::StatusOr<Network> Network::Parse(absl::string_view text) {
  if (!IsCaip2(text)) {
    return FieldError("network", text, "a CAIP-2 chain id such as eip155:8453",
                      "network_not_caip2");
  }
  return Network(std::string(text));
}

absl::StatusOr<Network> Network::ParseOrAlias(absl::string_view text) {
  if (absl::StrContains(text, ":")) return Parse(text);
  for (const Alias& alias : kAliases) {
    if (alias.name == text) return Network(std::string(alias.network));
  }
  return FieldError("network", text, "a CAIP-2 chain id or an x402 V1 network name",
                    "network_unknown_alias");
}

absl::StatusOr<Address> Address::Parse(absl::string_view text) {
  if (!IsPrefixedHex(text, 40)) return FieldError("address", text, "0x and 40 hex digits");
  return Address(absl::AsciiStrToLower(text));
}

absl::StatusOr<Bytes32> Bytes32::Parse(absl::string_view text) {
  if (!IsPrefixedHex(text, 64)) return FieldError("bytes32", text, "0x and 64 hex digits");
  return Bytes32(absl::AsciiStrToLower(text));
}

}  // namespace tally

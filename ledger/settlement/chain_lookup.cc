#include "ledger/settlement/chain_lookup.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tally::settlement {
namespace {

struct LoggedEvent {
  const char* signature;
  const char* topic;  // its Keccak-256
};
// EIP-3009. Both have the authorizer and the nonce as topics.
constexpr LoggedEvent kUsed = {
    "AuthorizationUsed(address,bytes32)",
    "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"};
constexpr LoggedEvent kCancelled = {
    "AuthorizationCanceled(address,bytes32)",
    "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"};
// ERC-20. Payer and payee are topics; the amount is not.
constexpr LoggedEvent kTransfer = {
    "Transfer(address,address,uint256)",
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"};

// A topic is a word: an address stands at its end.
std::string TopicOf(const Address& address) {
  return absl::StrCat("0x", std::string(24, '0'), address.text().substr(2));
}

// True means used or cancelled; only the log tells which.
std::optional<ChainLookup> LookUpEip3009(const Address& asset, const Address& payer,
                                         absl::string_view nonce_text) {
  const absl::StatusOr<Bytes32> nonce = Bytes32::Parse(nonce_text);
  if (!nonce.ok()) return std::nullopt;
  ChainLookup lookup;
  lookup.contract = asset.text();
  lookup.method = "authorizationState(address,bytes32)";
  lookup.arguments = {payer.text(), nonce->text()};
  lookup.logs = {asset.text(),
                 {kUsed.signature, kCancelled.signature},
                 {{kUsed.topic, kCancelled.topic}, {TopicOf(payer)}, {nonce->text()}}};
  return lookup;
}

// Permit2 keeps 256 nonces in a word: the nonce above its low byte is the word, the byte the bit.
std::optional<ChainLookup> LookUpPermit2(const Address& permit2, const Address& payer,
                                         absl::string_view nonce_text, const Terms& terms) {
  const absl::StatusOr<Uint256> nonce = Uint256::Parse(nonce_text);
  if (!nonce.ok()) return std::nullopt;
  ChainLookup lookup;
  lookup.contract = permit2.text();
  lookup.method = "nonceBitmap(address,uint256)";
  lookup.arguments = {payer.text(), nonce->WithoutLowByte().ToString()};
  lookup.bit = nonce->low_byte();
  const absl::StatusOr<Address> asset = Address::Parse(terms.asset);
  const absl::StatusOr<Address> payee = Address::Parse(terms.pay_to);
  if (asset.ok() && payee.ok()) {
    lookup.logs = {asset->text(),
                   {kTransfer.signature},
                   {{kTransfer.topic}, {TopicOf(payer)}, {TopicOf(*payee)}}};
  }
  return lookup;
}

}  // namespace

std::optional<ChainLookup> LookupFor(const Dossier& dossier, Liveness liveness) {
  if (!IsUndecided(liveness) || !dossier.terms.has_value()) return std::nullopt;
  const Terms& terms = *dossier.terms;
  // kind|network|contract|payer|nonce
  const std::vector<std::string> slot = absl::StrSplit(terms.slot, '|');
  if (slot.size() != 5) return std::nullopt;
  const absl::StatusOr<Address> contract = Address::Parse(slot[2]);
  const absl::StatusOr<Address> payer = Address::Parse(slot[3]);
  if (!contract.ok() || !payer.ok()) return std::nullopt;
  std::optional<ChainLookup> lookup;
  if (slot[0] == "eip3009") lookup = LookUpEip3009(*contract, *payer, slot[4]);
  if (slot[0] == "permit2") lookup = LookUpPermit2(*contract, *payer, slot[4], terms);
  if (!lookup.has_value()) return std::nullopt;
  lookup->network = terms.network;
  lookup->after = terms.valid_before;
  return lookup;
}

}  // namespace tally::settlement

#include "absl/strings/str_cat.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/recipes.h"

namespace tally::x402 {

Slot Eip3009Slot(const Network& network, const Address& asset, const Address& from,
                 const Bytes32& nonce) {
  return Slot{absl::StrCat("eip3009|", network.text(), "|", asset.text(), "|", from.text(), "|",
                           nonce.text())};
}

Slot Permit2Slot(const Network& network, const Address& owner, const Uint256& nonce) {
  return Slot{absl::StrCat("permit2|", network.text(), "|", kPermit2Contract, "|", owner.text(),
                           "|", nonce.ToString())};
}

absl::string_view NameOf(Recipe recipe) {
  switch (recipe) {
    case Recipe::kEip3009:
      return "x402-payment-fingerprint/0";
    case Recipe::kPermit2:
      return "tallystick-settlement/1 permit2";
    case Recipe::kPayload:
      return "tallystick-settlement/1 payload";
  }
  return "";
}

}  // namespace tally::x402

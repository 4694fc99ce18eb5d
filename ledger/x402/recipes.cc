#include "ledger/x402/recipes.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/x402/fields.h"

namespace tally::x402 {
namespace {

// x402 specification V2, exact/EVM and upto: the member that says which primitive was signed. Other
// schemes are read the same way when the member has the `telltale` of that primitive.
struct Shape {
  absl::string_view member;
  absl::string_view telltale;  // empty: this member says so in exact and upto only
  absl::Status (*read)(const Envelope&, Payment&);
};
constexpr std::array<Shape, 3> kShapes = {{
    {"authorization", "nonce", ReadEip3009},
    {"permit2Authorization", "permitted", ReadPermit2},
    {"delegationManager", "", ReadErc7710},
}};

bool Applies(const Shape& shape, const Envelope& envelope, bool is_known_scheme) {
  const json::Value* member = envelope.payload.Find(shape.member);
  if (member == nullptr) return false;
  // V1 vectors may leave the scheme out; the primitive is what counts.
  if (is_known_scheme || envelope.scheme.empty()) return true;
  return envelope.network.is_evm() && !shape.telltale.empty() &&
         member->Find(shape.telltale) != nullptr;
}

}  // namespace

absl::StatusOr<SettlementId> IdOf(json::Object members) {
  TALLY_ASSIGN_OR_RETURN(
      const std::string canonical,
      json::Canonical(json::Value(std::move(members)), json::NumberPolicy::kExact));
  return SettlementId::Parse(absl::StrCat("sha256:", crypto::Sha256Hex(canonical)));
}

absl::Status RequireEvm(const Envelope& envelope) {
  if (envelope.network.is_evm()) return absl::OkStatus();
  const json::Value seen = json::Text(envelope.network.text());
  return Malformed(envelope.network_field, &seen, "an eip155 network for this kind of payload",
                   "network_not_eip155");
}

absl::Status ApplyRecipe(const Envelope& envelope, Payment& payment) {
  const bool is_exact = envelope.scheme == "exact";
  const bool is_known_scheme = is_exact || envelope.scheme == "upto";
  const Shape* found = nullptr;
  for (const Shape& shape : kShapes) {
    if (!Applies(shape, envelope, is_known_scheme)) continue;
    if (found != nullptr) {
      // Facilitators differ in which member they would settle, so no id can be right.
      return Malformed("payload", &envelope.payload,
                       absl::StrCat("one of ", found->member, " and ", shape.member, ", not both"),
                       "payload_ambiguous");
    }
    found = &shape;
  }
  if (found != nullptr) return found->read(envelope, payment);
  const bool is_svm = envelope.network.text().rfind("solana:", 0) == 0;
  if (is_svm && (is_exact || envelope.payload.Find("transaction") != nullptr)) {
    // A later svm recipe hashes the transaction message; a weak id given today would then change.
    const json::Value seen = json::Text(absl::StrCat(envelope.scheme, " on Solana"));
    return Malformed(
        envelope.scheme_field, &seen,
        "a payment this version has an id recipe for; Solana transactions have none yet",
        "scheme_not_supported");
  }
  if (is_known_scheme && envelope.network.is_evm()) {
    return Malformed("payload", &envelope.payload,
                     "authorization, permit2Authorization or delegationManager",
                     "payload_shape_unknown");
  }
  return ReadUnknownScheme(envelope, payment);
}

}  // namespace tally::x402

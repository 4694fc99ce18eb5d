#include "ledger/x402/fields.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/crypto/sha256.h"
#include "ledger/types/ids.h"

namespace tally::x402 {
namespace {

bool IsPaymentIdentifier(absl::string_view text) {
  // payment-identifier extension: 16 to 128 characters of [A-Za-z0-9_-].
  if (text.size() < 16 || text.size() > 128) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
}

}  // namespace

std::string Seen(const json::Value* value) {
  if (value == nullptr) return "nothing";
  switch (value->kind()) {
    case json::Kind::kString:
      return *value->string();
    case json::Kind::kArray:
      return "an array";
    case json::Kind::kObject:
      return "an object";
    case json::Kind::kNull:
    case json::Kind::kBoolean:
    case json::Kind::kNumber:
      return json::Write(*value);
  }
  return "nothing";
}

const json::Array* ArrayAt(const json::Value& value, absl::string_view key) {
  const json::Value* member = value.Find(key);
  return member == nullptr ? nullptr : member->array();
}

absl::Status Malformed(absl::string_view field, const json::Value* value, absl::string_view wanted,
                       absl::string_view condition) {
  // FieldError shortens what was seen and makes it printable; only the reason differs here.
  const absl::Status plain = FieldError(field, Seen(value), wanted);
  std::map<std::string, std::string> metadata = MetadataOf(plain);
  return Error(Reason::kDocumentMalformed, plain.message())
      .With("field", metadata["field"])
      .With("seen", metadata["seen"])
      .With("wanted", metadata["wanted"])
      .With("condition", condition);
}

absl::StatusOr<Address> RequireAddress(const json::Value* value, absl::string_view field,
                                       absl::string_view condition) {
  if (value != nullptr && value->string() != nullptr) {
    absl::StatusOr<Address> address = Address::Parse(*value->string());
    if (address.ok()) return address;
  }
  return Malformed(field, value, "a string of 0x and 40 hex digits", condition);
}

absl::StatusOr<Bytes32> RequireBytes32(const json::Value* value, absl::string_view field,
                                       absl::string_view condition) {
  if (value != nullptr && value->string() != nullptr) {
    absl::StatusOr<Bytes32> word = Bytes32::Parse(*value->string());
    if (word.ok()) return word;
  }
  return Malformed(field, value, "a string of 0x and 64 hex digits", condition);
}

absl::StatusOr<Uint256> RequireUint256(const json::Value* value, absl::string_view field,
                                       absl::string_view name) {
  absl::string_view suffix = "_not_canonical_decimal_string";
  if (value != nullptr && value->string() != nullptr) {
    absl::StatusOr<Uint256> amount = Uint256::Parse(*value->string());
    if (amount.ok()) return amount;
    const std::map<std::string, std::string> metadata = MetadataOf(amount.status());
    const auto condition = metadata.find("condition");
    if (condition != metadata.end() && condition->second == "exceeds_uint256") {
      suffix = "_exceeds_uint256";
    }
  }
  return Malformed(field, value, "a string of digits without leading zero, at most 2^256 - 1",
                   absl::StrCat(name, suffix));
}

std::string LowerIfAddress(absl::string_view text) {
  const absl::StatusOr<Address> address = Address::Parse(text);
  return address.ok() ? address->text() : std::string(text);
}

std::string DigestOf(const json::Value& value) {
  const absl::StatusOr<std::string> canonical =
      json::Canonical(value, json::NumberPolicy::kAsJavaScript);
  return crypto::Sha256Hex(canonical.ok() ? *canonical : json::Write(value));
}

std::string PaymentIdentifierOf(const json::Value& document) {
  const json::Value* info = document.Find({"extensions", "payment-identifier", "info"});
  const std::string* id = info == nullptr ? nullptr : info->FindString("id");
  return id != nullptr && IsPaymentIdentifier(*id) ? *id : std::string();
}

std::string ChallengeIdOf(const json::Value& document) {
  const json::Value* info = document.Find({"extensions", "tallystick", "info"});
  const std::string* id = info == nullptr ? nullptr : info->FindString("challengeId");
  if (id == nullptr) return "";
  const absl::StatusOr<ChallengeId> parsed = ChallengeId::Parse(*id);
  return parsed.ok() ? parsed->text() : std::string();
}

}  // namespace tally::x402

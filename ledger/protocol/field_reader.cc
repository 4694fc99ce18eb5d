#include "ledger/protocol/field_reader.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/types/chain.h"
#include "ledger/types/ids.h"
#include "ledger/types/uint256.h"

namespace tally::protocol {
namespace {

constexpr std::size_t kDigestDigits = 64;

bool IsLowerHex(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'f');
}

template <typename Value>
absl::StatusOr<std::string> TextOf(const absl::StatusOr<Value>& value) {
  if (!value.ok()) return value.status();
  return value->text();
}

}  // namespace

absl::StatusOr<std::string> IdRule(absl::string_view text) {
  if (text.size() > kIdBytesMax) {
    return Error(Reason::kLimitExceeded, "an id is too long")
        .With("wanted", absl::StrCat("at most ", kIdBytesMax, " bytes"));
  }
  return std::string(text);
}

absl::StatusOr<std::string> DigestRule(absl::string_view text) {
  if (text.size() != kDigestDigits || !std::all_of(text.begin(), text.end(), IsLowerHex)) {
    return FieldError("digest", text, "64 lower-case hex digits");
  }
  return std::string(text);
}

absl::StatusOr<std::string> AmountRule(absl::string_view text) {
  const absl::StatusOr<Uint256> amount = Uint256::Parse(text);
  if (!amount.ok()) return amount.status();
  return std::string(text);
}

absl::StatusOr<std::string> NetworkRule(absl::string_view text) {
  return TextOf(Network::Parse(text));
}
absl::StatusOr<std::string> AddressRule(absl::string_view text) {
  return TextOf(Address::Parse(text));
}
absl::StatusOr<std::string> Bytes32Rule(absl::string_view text) {
  return TextOf(Bytes32::Parse(text));
}
absl::StatusOr<std::string> SettlementIdRule(absl::string_view text) {
  return TextOf(SettlementId::Parse(text));
}
absl::StatusOr<std::string> ChallengeIdRule(absl::string_view text) {
  return TextOf(ChallengeId::Parse(text));
}

absl::StatusOr<std::string> SessionRule(absl::string_view text) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 0 && c <= ' '; })) {
    return FieldError("session", text, "a name without blanks and control characters");
  }
  return IdRule(text);
}

absl::StatusOr<std::string> RequestIdRule(absl::string_view text) {
  const char first = text.empty() ? '\0' : text[0];
  const bool is_number = first == '-' || absl::ascii_isdigit(static_cast<unsigned char>(first));
  const bool is_string = text.size() > 1 && first == '"' && text.back() == '"';
  if (!is_number && !is_string) {
    return FieldError("request_id", text, "JSON text of a JSON-RPC id: 2 or \"2\"");
  }
  return IdRule(text);
}

absl::StatusOr<std::string> EndpointRule(absl::string_view text) { return NormalizeEndpoint(text); }

std::string FieldReader::PathOf(absl::string_view field) const {
  std::string path;
  for (const Step& step : path_) {
    absl::StrAppend(&path, path.empty() ? "" : ".", step.field);
    if (step.index != kNoIndex) absl::StrAppend(&path, "[", step.index, "]");
  }
  absl::StrAppend(&path, path.empty() || field.empty() ? "" : ".", field);
  return path;
}

void FieldReader::Text(absl::string_view field, const std::string& value, std::string& out,
                       TextRule rule) {
  if (!is_request() || rule == nullptr || value.empty()) {
    out = value;
    return;
  }
  absl::StatusOr<std::string> text = rule(value);
  if (text.ok()) {
    out = *std::move(text);
  } else {
    RefuseAs(field, value, text.status());
  }
}

void FieldReader::Need(absl::string_view field, const std::string& value, std::string& out,
                       TextRule rule) {
  if (is_request() && value.empty()) return RefuseMissing(field, "a text");
  Text(field, value, out, rule);
}

void FieldReader::AtLeast(absl::string_view field, std::int64_t value, std::int64_t least,
                          std::int64_t& out) {
  if (is_request() && value < least) {
    return Refuse(field, absl::StrCat(value), absl::StrCat("at least ", least));
  }
  out = value;
}

void FieldReader::Time(absl::string_view field, bool is_there,
                       const google::protobuf::Timestamp& value, std::optional<absl::Time>& out) {
  if (is_there) NeedTime(field, is_there, value, out.emplace());
}

void FieldReader::NeedTime(absl::string_view field, bool is_there,
                           const google::protobuf::Timestamp& value, absl::Time& out) {
  if (!is_there) return RefuseMissing(field, "a time");
  const absl::StatusOr<absl::Time> time = FromProto(field, value);
  if (time.ok()) {
    out = *time;
  } else {
    RefuseAs(field, "", time.status());
  }
}

void FieldReader::Refuse(absl::string_view field, absl::string_view seen,
                         absl::string_view wanted) {
  Keep(FieldError(PathOf(field), seen, wanted));
}

void FieldReader::RefuseMissing(absl::string_view field, absl::string_view wanted) {
  const std::string path = PathOf(field);
  Keep(Error(Reason::kFieldMissing, absl::StrCat(path, ": absent, wanted ", wanted))
           .With("field", path)
           .With("wanted", wanted));
}

void FieldReader::RefuseEnum(absl::string_view field, int number) {
  const std::string path = PathOf(field);
  const std::string seen = number == 0 ? "UNSPECIFIED" : absl::StrCat(number);
  Keep(Error(Reason::kEnumUnspecified, absl::StrCat(path, ": saw ", seen, ", wanted a known value"))
           .With("field", path)
           .With("seen", seen)
           .With("wanted", "a known value"));
}

void FieldReader::RefuseMore(absl::string_view field, std::size_t seen, std::size_t most) {
  const std::string path = PathOf(field);
  Keep(Error(Reason::kLimitExceeded, absl::StrCat(path, ": saw ", seen, ", wanted at most ", most))
           .With("field", path)
           .With("seen", absl::StrCat(seen))
           .With("wanted", absl::StrCat("at most ", most)));
}

void FieldReader::RefuseAs(absl::string_view field, absl::string_view seen,
                           const absl::Status& status) {
  if (ReasonOf(status) == Reason::kLimitExceeded) {
    return RefuseMore(field, seen.size(), kIdBytesMax);
  }
  const std::map<std::string, std::string> said = MetadataOf(status);
  const auto value_of = [&said](const std::string& key) {
    const auto found = said.find(key);
    return found == said.end() ? std::string() : found->second;
  };
  Keep(FieldError(PathOf(field), seen.empty() ? value_of("seen") : std::string(seen),
                  value_of("wanted"), value_of("condition")));
}

void FieldReader::Keep(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

}  // namespace tally::protocol

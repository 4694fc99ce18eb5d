#include "ledger/store/sqlite/rows.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/protocol/envelope_codec.h"

namespace tally::store::sqlite {
namespace {

using settlement::Alias;
using settlement::AliasKind;

constexpr std::size_t kNearBytes = 4;
constexpr std::size_t kValueBytes = 16;

void PutInt(std::string& out, std::int64_t value) {
  auto bits = static_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i, bits >>= 8U) out.push_back(static_cast<char>(bits & 0xFFU));
}

std::int64_t First8(const std::string& digest) {
  std::uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) {
    bits = (bits << 8U) | static_cast<unsigned char>(digest[static_cast<std::size_t>(i)]);
  }
  return static_cast<std::int64_t>(bits);
}

int DigitOf(char c, absl::string_view digits) {
  const std::size_t at = digits.find(absl::ascii_tolower(static_cast<unsigned char>(c)));
  return at == absl::string_view::npos ? -1 : static_cast<int>(at);
}

// The number `count` digits are, skipping hyphens; nullopt when there are fewer.
std::optional<std::uint64_t> LeadingNumber(absl::string_view text, absl::string_view digits,
                                           int bits, int count) {
  std::uint64_t number = 0;
  for (const char c : text) {
    if (count == 0) break;
    if (c == '-') continue;
    const int digit = DigitOf(c, digits);
    if (digit < 0) return std::nullopt;
    number = (number << static_cast<unsigned>(bits)) | static_cast<unsigned>(digit);
    --count;
  }
  return count == 0 ? std::optional(number) : std::nullopt;
}

// The 48 bits of milliseconds that a UUIDv7, a ULID or an id of ours begins with, after a prefix
// such as `evt_`. What merely looks like one gets a key as good as any.
std::optional<std::uint64_t> LeadingMillis(absl::string_view event_id) {
  constexpr std::size_t kUlidDigits = 26;
  constexpr absl::string_view kHex = "0123456789abcdef";
  constexpr absl::string_view kCrockford = "0123456789abcdefghjkmnpqrstvwxyz";
  constexpr std::uint64_t kMillisMax = (std::uint64_t{1} << 48U) - 1;
  const std::size_t prefix = event_id.find('_');
  if (prefix != absl::string_view::npos) event_id.remove_prefix(prefix + 1);
  if (event_id.size() == kUlidDigits) {
    const auto number = LeadingNumber(event_id, kCrockford, 5, 10);
    return number.has_value() && *number <= kMillisMax ? number : std::nullopt;
  }
  return LeadingNumber(event_id, kHex, 4, 12);
}

// What aliases that are filed together share: the nonce of a payment, else the session or the value
// itself.
absl::string_view NearOf(const Alias& alias) {
  const absl::string_view value = alias.value;
  if (alias.kind == AliasKind::kSlot || alias.kind == AliasKind::kNonce) {
    return value.substr(value.find_last_of(" |") + 1);
  }
  return value.substr(0, value.find(' '));
}

absl::Status Broken(const EventRow& row, absl::string_view why) {
  return Error(Reason::kDataLoss, absl::StrCat("the event at position ", row.position,
                                               " of ledger number ", row.ledger_no, " ", why))
      .With("position", absl::StrCat(row.position));
}

}  // namespace

std::int64_t EventKey(absl::string_view ledger, absl::string_view event_id) {
  constexpr int kHashBits = 16;
  const std::int64_t hash =
      First8(crypto::Sha256(absl::StrCat(ledger, absl::string_view("\0", 1), event_id)));
  const std::optional<std::uint64_t> time = LeadingMillis(event_id);
  if (!time.has_value()) return hash;
  const auto low = static_cast<std::uint64_t>(hash) & ((1U << kHashBits) - 1);
  return static_cast<std::int64_t>((*time << kHashBits) | low);
}

std::int64_t SubjectKey(std::int64_t ledger_no, const settlement::Subject& subject) {
  return First8(crypto::Sha256(
      absl::StrCat(ledger_no, " ", static_cast<int>(subject.kind), " ", subject.key)));
}

std::string AliasKey(const Alias& alias) {
  std::string key = crypto::Sha256(NearOf(alias)).substr(0, kNearBytes);
  key.push_back(static_cast<char>(alias.kind));
  return key.append(crypto::Sha256(alias.value), 0, kValueBytes);
}

std::int64_t ToMicros(absl::Time time) { return absl::ToUnixMicros(time); }

absl::Time FromMicros(std::int64_t micros) {
  if (micros == std::numeric_limits<std::int64_t>::max()) return absl::InfiniteFuture();
  if (micros == std::numeric_limits<std::int64_t>::min()) return absl::InfinitePast();
  return absl::FromUnixMicros(micros);
}

absl::string_view RoleText(settlement::LedgerRole role) {
  switch (role) {
    case settlement::LedgerRole::kSeller:
      return "seller";
    case settlement::LedgerRole::kBuyer:
      return "buyer";
    case settlement::LedgerRole::kFacilitator:
      break;
  }
  return "facilitator";
}

absl::StatusOr<settlement::LedgerRole> RoleFromText(absl::string_view text) {
  for (const auto role : {settlement::LedgerRole::kSeller, settlement::LedgerRole::kBuyer,
                          settlement::LedgerRole::kFacilitator}) {
    if (RoleText(role) == text) return role;
  }
  return Error(Reason::kDataLoss, absl::StrCat("no role is called ", text));
}

std::int64_t ChecksumOf(const EventRow& row) {
  std::string bytes;
  bytes.reserve(40 + row.envelope.size());
  for (const std::int64_t value :
       {row.event_no, row.ledger_no, row.position, row.event_key, row.recorded_us}) {
    PutInt(bytes, value);
  }
  bytes += row.envelope;
  return First8(crypto::Sha256(bytes));
}

EventRow ReadEventRow(const Query& query) {
  EventRow row;
  row.event_no = query.Int(0);
  row.ledger_no = query.Int(1);
  row.position = query.Int(2);
  row.event_key = query.Int(3);
  row.recorded_us = query.Int(4);
  row.envelope = query.Text(5);
  row.checksum = query.Int(6);
  return row;
}

absl::Status Verify(const EventRow& row) {
  return row.checksum == ChecksumOf(row) ? absl::OkStatus() : Broken(row, "has a wrong checksum");
}

absl::StatusOr<settlement::RecordedEvent> Decode(const EventRow& row) {
  TALLY_RETURN_IF_ERROR(Verify(row));
  absl::StatusOr<settlement::Event> event = protocol::DecodeEnvelope(row.envelope);
  if (!event.ok()) return Broken(row, absl::StrCat("can't be read: ", event.status().message()));
  return settlement::RecordedEvent{*std::move(event), row.position, VersionOf(row.event_no),
                                   FromMicros(row.recorded_us)};
}

}  // namespace tally::store::sqlite

#include "ledger/store/sqlite/rows.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/crypto/sha256.h"
#include "ledger/protocol/envelope_codec.h"

namespace tally::store::sqlite {
namespace {

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

absl::Status Broken(const EventRow& row, absl::string_view why) {
  return Error(Reason::kDataLoss, absl::StrCat("the event at position ", row.position,
                                               " of ledger number ", row.ledger_no, " ", why))
      .With("position", absl::StrCat(row.position));
}

}  // namespace

std::int64_t EventKey(absl::string_view ledger, absl::string_view event_id) {
  return First8(crypto::Sha256(absl::StrCat(ledger, absl::string_view("\0", 1), event_id)));
}

std::string ValueKey(absl::string_view value) {
  const absl::string_view first_word = value.substr(0, value.find(' '));
  std::string key = crypto::Sha256(first_word).substr(0, kNearBytes);
  return key.append(crypto::Sha256(value), 0, kValueBytes);
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

absl::StatusOr<settlement::RecordedEvent> Decode(const EventRow& row) {
  if (row.checksum != ChecksumOf(row)) return Broken(row, "has a wrong checksum");
  absl::StatusOr<settlement::Event> event = protocol::DecodeEnvelope(row.envelope);
  if (!event.ok()) return Broken(row, absl::StrCat("can't be read: ", event.status().message()));
  return settlement::RecordedEvent{*std::move(event), row.position, VersionOf(row.event_no),
                                   FromMicros(row.recorded_us)};
}

}  // namespace tally::store::sqlite

#include "ledger/base/error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace tally {
namespace {

using Code = absl::StatusCode;

constexpr auto kTraits = std::to_array<ReasonTraits>({
    {Reason::kFieldMalformed, "FIELD_MALFORMED", Code::kInvalidArgument, false,
     "A typed field does not parse."},
    {Reason::kFieldMissing, "FIELD_MISSING", Code::kInvalidArgument, false,
     "A required field is absent."},
    {Reason::kEnumUnspecified, "ENUM_UNSPECIFIED", Code::kInvalidArgument, false,
     "An enum field is unspecified or holds a value this binary does not know."},
    {Reason::kLimitExceeded, "LIMIT_EXCEEDED", Code::kInvalidArgument, false,
     "The input is over a documented limit."},
    {Reason::kDocumentMalformed, "DOCUMENT_MALFORMED", Code::kInvalidArgument, false,
     "A document is not what it has to be, so nothing can be derived from it."},
    {Reason::kIdMismatch, "ID_MISMATCH", Code::kInvalidArgument, false,
     "The id that was said is not the id the document gives."},
    {Reason::kPageTokenInvalid, "PAGE_TOKEN_INVALID", Code::kInvalidArgument, false,
     "The page token does not belong to this query."},
    {Reason::kLedgerNotFound, "LEDGER_NOT_FOUND", Code::kNotFound, false,
     "There is no ledger of that name."},
    {Reason::kLedgerExists, "LEDGER_EXISTS", Code::kAlreadyExists, false,
     "A ledger of that name exists with other properties."},
    {Reason::kLedgerAmbiguous, "LEDGER_AMBIGUOUS", Code::kFailedPrecondition, false,
     "No ledger was named and there is more than one."},
    {Reason::kNotRecorded, "NOT_RECORDED", Code::kNotFound, false,
     "Nothing is recorded under that key."},
    {Reason::kAliasAmbiguous, "ALIAS_AMBIGUOUS", Code::kFailedPrecondition, false,
     "The alias belongs to several settlements, which the metadata lists."},
    {Reason::kEventIdReused, "EVENT_ID_REUSED", Code::kAlreadyExists, false,
     "The event id was recorded with other content."},
    {Reason::kDatabaseHeld, "DATABASE_HELD", Code::kFailedPrecondition, false,
     "Another process writes this database."},
    {Reason::kDatabaseFull, "DATABASE_FULL", Code::kResourceExhausted, true,
     "There is no space left to write; reads go on."},
    {Reason::kDatabaseUnusable, "DATABASE_UNUSABLE", Code::kInternal, false,
     "The database can't be opened, read or written."},
    {Reason::kSchemaNewer, "SCHEMA_NEWER", Code::kFailedPrecondition, false,
     "The database was made by a newer binary."},
    {Reason::kDataLoss, "DATA_LOSS", Code::kDataLoss, false,
     "A checksum or an invariant of the stored data is broken."},
    {Reason::kStoreStopped, "STORE_STOPPED", Code::kUnavailable, true,
     "The writer stopped after a commit of unknown outcome, or is shutting down."},
    {Reason::kOverloaded, "OVERLOADED", Code::kResourceExhausted, true, "A bounded queue is full."},
    {Reason::kAddressRefused, "ADDRESS_REFUSED", Code::kFailedPrecondition, false,
     "The server can't listen on that address."},
    {Reason::kServerUnreachable, "SERVER_UNREACHABLE", Code::kUnavailable, true,
     "The server did not answer."},
    {Reason::kDeadlineExceeded, "DEADLINE_EXCEEDED", Code::kDeadlineExceeded, true,
     "The answer did not come in time; the outcome is unknown."},
    {Reason::kInternal, "INTERNAL", Code::kInternal, false,
     "Something is broken that the caller can't mend."},
});

constexpr bool IsInEnumOrder() {
  for (std::size_t i = 0; i < kTraits.size(); ++i) {
    if (static_cast<std::size_t>(kTraits[i].reason) != i) return false;
  }
  return static_cast<std::size_t>(Reason::kInternal) + 1 == kTraits.size();
}
static_assert(IsInEnumOrder());

constexpr char kPayloadUrl[] = "tallystick/error";

// The payload is a row of strings, each after its length in four bytes, low byte first: the
// reason's name, then keys and values by turns.
void AppendString(std::string& payload, absl::string_view text) {
  for (int shift = 0; shift < 32; shift += 8) {
    payload.push_back(static_cast<char>((text.size() >> shift) & 0xff));
  }
  absl::StrAppend(&payload, text);
}

std::optional<std::string> TakeString(absl::string_view& payload) {
  if (payload.size() < 4) return std::nullopt;
  std::uint32_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    size |= std::uint32_t{static_cast<unsigned char>(payload[i])} << (8 * i);
  }
  payload.remove_prefix(4);
  if (payload.size() < size) return std::nullopt;
  std::string text(payload.substr(0, size));
  payload.remove_prefix(size);
  return text;
}

struct Payload {
  Reason reason;
  std::map<std::string, std::string> metadata;
};

std::optional<Payload> PayloadOf(const absl::Status& status) {
  const auto cord = status.GetPayload(kPayloadUrl);
  if (!cord.has_value()) return std::nullopt;
  const std::string bytes(*cord);
  absl::string_view rest = bytes;
  const std::optional<std::string> name = TakeString(rest);
  if (!name.has_value()) return std::nullopt;
  const std::optional<Reason> reason = ReasonFromName(*name);
  if (!reason.has_value()) return std::nullopt;
  Payload payload{*reason, {}};
  while (!rest.empty()) {
    std::optional<std::string> key = TakeString(rest);
    std::optional<std::string> value = TakeString(rest);
    if (!key.has_value() || !value.has_value()) return std::nullopt;
    payload.metadata.insert_or_assign(*std::move(key), *std::move(value));
  }
  return payload;
}

}  // namespace

std::span<const ReasonTraits> AllReasonTraits() { return kTraits; }

const ReasonTraits& TraitsOf(Reason reason) { return kTraits[static_cast<std::size_t>(reason)]; }

absl::string_view NameOf(Reason reason) { return TraitsOf(reason).name; }

std::optional<Reason> ReasonFromName(absl::string_view name) {
  for (const ReasonTraits& traits : kTraits) {
    if (traits.name == name) return traits.reason;
  }
  return std::nullopt;
}

Error::Error(Reason reason, absl::string_view message) : reason_(reason), message_(message) {}

Error& Error::With(absl::string_view key, absl::string_view value) & {
  metadata_.insert_or_assign(std::string(key), std::string(value));
  return *this;
}

Error&& Error::With(absl::string_view key, absl::string_view value) && {
  return std::move(With(key, value));
}

Error::operator absl::Status() const {
  absl::Status status(TraitsOf(reason_).code, message_);
  std::string payload;
  AppendString(payload, NameOf(reason_));
  for (const auto& [key, value] : metadata_) {
    AppendString(payload, key);
    AppendString(payload, value);
  }
  status.SetPayload(kPayloadUrl, absl::Cord(std::move(payload)));
  return status;
}

std::optional<Reason> ReasonOf(const absl::Status& status) {
  const std::optional<Payload> payload = PayloadOf(status);
  if (!payload.has_value()) return std::nullopt;
  return payload->reason;
}

std::map<std::string, std::string> MetadataOf(const absl::Status& status) {
  std::optional<Payload> payload = PayloadOf(status);
  if (!payload.has_value()) return {};
  return std::move(payload->metadata);
}

}  // namespace tally

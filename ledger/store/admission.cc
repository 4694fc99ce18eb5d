#include "ledger/store/admission.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/protocol/envelope_codec.h"

namespace tally::store {
namespace {

absl::Status OverLimit(absl::string_view what, std::size_t seen, std::size_t max) {
  return Error(Reason::kLimitExceeded, absl::StrCat(what, ": saw ", seen, ", at most ", max))
      .With("limit", what)
      .With("seen", absl::StrCat(seen))
      .With("max", absl::StrCat(max));
}

absl::Status CheckShape(const settlement::Event& event) {
  if (event.event_id.empty()) {
    return Error(Reason::kFieldMissing, "event_id: an event needs one").With("field", "event_id");
  }
  if (event.event_id.size() > kIdBytesMax) {
    return OverLimit("event_id bytes", event.event_id.size(), kIdBytesMax);
  }
  if (event.subject.key.empty()) {
    return Error(Reason::kFieldMissing, "subject: an event is filed under something")
        .With("field", "subject");
  }
  if (event.subject.key.size() > kSubjectKeyBytesMax) {
    return OverLimit("subject bytes", event.subject.key.size(), kSubjectKeyBytesMax);
  }
  return absl::OkStatus();
}

absl::Status Reused(const std::string& id, const std::string& stored, const std::string& offered) {
  return Error(Reason::kEventIdReused,
               absl::StrCat("event id ", id, " was recorded with other content: recorded sha256 ",
                            stored, ", now sha256 ", offered))
      .With("field", "event_id")
      .With("seen", absl::StrCat("content of sha256 ", offered))
      .With("wanted", absl::StrCat("content of sha256 ", stored, ", or another id"))
      .With("event_id", id)
      .With("stored_sha256", stored)
      .With("offered_sha256", offered);
}

absl::Status CheckSame(const settlement::Event& stored, const settlement::Event& offered) {
  const std::string a = ContentSha256(stored);
  const std::string b = ContentSha256(offered);
  return a == b ? absl::OkStatus() : Reused(offered.event_id, a, b);
}

// How each event of a batch is to be treated.
struct Admission {
  std::optional<Receipt> earlier;   // recorded before
  std::optional<std::size_t> twin;  // the same as an earlier one of its batch
};

absl::StatusOr<std::vector<Admission>> Admit(OpenLedger& ledger,
                                             const std::vector<Prepared>& events) {
  std::vector<Admission> admissions(events.size());
  std::map<absl::string_view, std::size_t> places;
  std::map<settlement::Subject, std::int64_t> versions;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const settlement::Event& event = events[i].event;
    const auto [place, is_first] = places.try_emplace(event.event_id, i);
    if (!is_first) {
      TALLY_RETURN_IF_ERROR(CheckSame(events[place->second].event, event));
      admissions[i].twin = place->second;
      continue;
    }
    TALLY_ASSIGN_OR_RETURN(const std::optional<settlement::RecordedEvent> stored,
                           ledger.FindEvent(event.event_id));
    if (stored.has_value()) {
      TALLY_RETURN_IF_ERROR(CheckSame(stored->event, event));
      admissions[i].earlier =
          Receipt{stored->position, stored->version, stored->recorded_time, true};
      continue;
    }
    const auto [version, is_new] = versions.try_emplace(event.subject, 0);
    if (is_new) {
      TALLY_ASSIGN_OR_RETURN(version->second, ledger.VersionOf(event.subject));
    }
    if (++version->second > kVersionMax) {
      return OverLimit("events of one subject", static_cast<std::size_t>(version->second),
                       static_cast<std::size_t>(kVersionMax));
    }
  }
  return admissions;
}

}  // namespace

absl::StatusOr<std::vector<Prepared>> Prepare(std::vector<settlement::Event> events) {
  if (events.size() > kBatchEventsMax) {
    return OverLimit("events of a batch", events.size(), kBatchEventsMax);
  }
  std::vector<Prepared> prepared;
  prepared.reserve(events.size());
  std::size_t bytes = 0;
  for (settlement::Event& event : events) {
    TALLY_RETURN_IF_ERROR(CheckShape(event));
    std::string envelope = protocol::EncodeEnvelope(event);
    if (envelope.size() > settlement::kEventBytesMax) {
      return OverLimit("bytes of an event", envelope.size(), settlement::kEventBytesMax);
    }
    bytes += envelope.size();
    // What is projected now must be what a rebuild will read.
    TALLY_ASSIGN_OR_RETURN(event, protocol::DecodeEnvelope(envelope));
    prepared.push_back({std::move(event), std::move(envelope)});
  }
  if (bytes > kBatchBytesMax) return OverLimit("bytes of a batch", bytes, kBatchBytesMax);
  return prepared;
}

std::size_t BytesOf(const std::vector<Prepared>& events) {
  std::size_t bytes = 0;
  for (const Prepared& event : events) bytes += event.envelope.size();
  return bytes;
}

absl::StatusOr<std::vector<Receipt>> FileAll(OpenLedger& ledger, std::vector<Prepared> events,
                                             absl::Time now) {
  TALLY_ASSIGN_OR_RETURN(const std::vector<Admission> admissions, Admit(ledger, events));
  std::vector<Receipt> receipts;
  receipts.reserve(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (admissions[i].earlier.has_value()) {
      receipts.push_back(*admissions[i].earlier);
    } else if (admissions[i].twin.has_value()) {
      receipts.push_back(receipts[*admissions[i].twin]);
      receipts.back().is_replayed = true;
    } else {
      TALLY_ASSIGN_OR_RETURN(const Receipt receipt, ledger.File(std::move(events[i]), now));
      receipts.push_back(receipt);
    }
  }
  return receipts;
}

std::string ContentSha256(settlement::Event event) {
  event.recorder.clear();
  return crypto::Sha256Hex(protocol::EncodeEnvelope(event));
}

absl::Status CheckLedgerName(absl::string_view name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  bool is_name = !name.empty() && name.size() <= 63 && is_word(name.front());
  for (const char c : name) is_name = is_name && (is_word(c) || c == '_' || c == '-');
  return is_name ? absl::OkStatus()
                 : FieldError("ledger", name,
                              "1 to 63 of a-z, 0-9, _ and -, starting with a letter or digit");
}

absl::Status CheckSameLedger(const Ledger& existing, const Ledger& wanted) {
  if (existing.role == wanted.role && existing.endpoint_names == wanted.endpoint_names) {
    return absl::OkStatus();
  }
  return Error(Reason::kLedgerExists,
               absl::StrCat("ledger ", existing.name, " exists with ",
                            existing.role == wanted.role ? "other endpoint names" : "another role"))
      .With("ledger", existing.name);
}

absl::Status LedgerNotFound(absl::string_view name) {
  return Error(Reason::kLedgerNotFound, absl::StrCat("there is no ledger \"", name, "\""))
      .With("ledger", name);
}

}  // namespace tally::store

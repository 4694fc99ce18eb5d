// Why something was refused, as a value: a reason with a gRPC-compatible code and whether a retry
// helps, a sentence for a person, and metadata for a program. Carried by absl::Status.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally {

enum class Reason {
  kFieldMalformed,     // a typed field does not parse
  kFieldMissing,       // a typed field is required and absent
  kEnumUnspecified,    // an enum field is UNSPECIFIED or unknown
  kLimitExceeded,      // over a limit of docs/PROTOCOL.md
  kDocumentMalformed,  // a document handed over for its id has none
  kIdMismatch,         // the id said is not the id the document gives
  kPageTokenInvalid,   // the page token is not one of this query
  kLedgerNotFound,
  kLedgerExists,
  kLedgerAmbiguous,   // no ledger was named and there is more than one
  kNotRecorded,       // nothing recorded under that key
  kAliasAmbiguous,    // the alias hits several settlements; metadata lists them
  kEventIdReused,     // the event id was recorded with other content
  kDatabaseHeld,      // another process writes this database
  kDatabaseFull,      // no space; reads go on
  kDatabaseUnusable,  // can't be opened, read or written
  kSchemaNewer,       // made by a newer binary
  kDataLoss,          // a checksum or an invariant of the file is broken
  kStoreStopped,      // the writer stopped after an unknown commit outcome, or is shutting down
  kOverloaded,        // a bounded queue is full
  kAddressRefused,    // an address that can't be listened on
  kServerUnreachable,
  kDeadlineExceeded,
  kInternal,
};

// What the table in error.cc says of a reason.
struct ReasonTraits {
  Reason reason;
  absl::string_view name;  // FIELD_MALFORMED
  absl::StatusCode code;
  bool is_retry_helpful;
  absl::string_view meaning;  // one sentence, for docs/ERRORS.md and --help
};

// Every reason, in the order of the enum.
std::span<const ReasonTraits> AllReasonTraits();
const ReasonTraits& TraitsOf(Reason reason);
absl::string_view NameOf(Reason reason);
std::optional<Reason> ReasonFromName(absl::string_view name);

// Builds an error; converts to absl::Status and to any absl::StatusOr.
//   return Error(Reason::kFieldMalformed, "…").With("field", "payer");
class Error {
 public:
  Error(Reason reason, absl::string_view message);
  Error& With(absl::string_view key, absl::string_view value) &;
  Error&& With(absl::string_view key, absl::string_view value) &&;

  operator absl::Status() const;  // NOLINT(google-explicit-constructor)
  template <typename T>
  operator absl::StatusOr<T>() const {  // NOLINT(google-explicit-constructor)
    return static_cast<absl::Status>(*this);
  }

 private:
  Reason reason_;
  std::string message_;
  std::map<std::string, std::string> metadata_;
};

// The usual error of bad input: names the field, what was seen (shortened, made printable) and what
// was wanted. Message: `payer: saw "0x12", wanted 0x and 40 hex digits`. FIELD_MALFORMED; metadata
// "field", "seen", "wanted", and "condition" unless that is empty.
absl::Status FieldError(absl::string_view field, absl::string_view seen, absl::string_view wanted,
                        absl::string_view condition = "");

// The reason carried by a status: nullopt for OK and for statuses not built by Error.
std::optional<Reason> ReasonOf(const absl::Status& status);
// Metadata carried by a status; empty where there is none.
std::map<std::string, std::string> MetadataOf(const absl::Status& status);

// Prefixes the "field" metadata and message of a FieldError: `accepted` + `amount` =
// `accepted.amount`, `accepts` + `[0].amount` = `accepts[0].amount`. Other statuses come back as
// they are.
absl::Status InField(absl::string_view parent, const absl::Status& status);

}  // namespace tally

// Options that several verbs share, and what they mean.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/timestamp.pb.h"

namespace tally::cli {

// What a verb does once all arguments were read; its value is the exit code.
using Action = std::function<absl::StatusOr<int>()>;

enum class Form { kTable, kJson, kCsv };

// Where the ledgers are: a server, or a database file. Exactly one.
struct Target {
  std::string server;
  std::string database;
  absl::Duration deadline;
};

// As given on the command line. A flag wins over the environment (TALLY_SERVER, TALLY_DATABASE,
// TALLY_LEDGER).
struct Options {
  std::string server;
  std::string database;
  std::string ledger;
  std::string output = "table";
  std::string as_of;
  std::string known_at;
  std::string deadline = "10s";
  std::optional<int> decimals;

  // FIELD_MISSING or FIELD_MALFORMED.
  absl::StatusOr<Target> ReadTarget() const;
  // For verbs that need the file itself. FIELD_MISSING.
  absl::StatusOr<std::string> ReadDatabase() const;
  // Empty: the only one there is.
  std::string ReadLedger() const;
  absl::StatusOr<Form> ReadForm() const;
};

void AddTarget(CLI::App& verb, Options& options);
void AddDatabase(CLI::App& verb, Options& options);
void AddLedger(CLI::App& verb, Options& options);
void AddForm(CLI::App& verb, Options& options);
void AddTimes(CLI::App& verb, Options& options);
void AddDecimals(CLI::App& verb, Options& options);

// Sets `out` to the RFC 3339 time in `text`; does nothing when it is empty. FIELD_MALFORMED.
absl::Status ReadTimeOption(absl::string_view option, const std::string& text,
                            const std::function<google::protobuf::Timestamp*()>& out);

// The whole number in `text`, from `least` on; 0 when it is empty. FIELD_MALFORMED.
absl::StatusOr<std::int64_t> ReadCountOption(absl::string_view option, const std::string& text,
                                             std::int64_t least);

// A field of a request, and what a person typed it as.
struct Typed {
  absl::string_view field;
  absl::string_view option;
};
// The error with its field named as it was typed: `key.any: saw …` becomes `ID: saw …`. What stands
// below the field stays behind it. Other errors come back as they are.
absl::Status AsTyped(const absl::Status& status, std::initializer_list<Typed> names);

}  // namespace tally::cli

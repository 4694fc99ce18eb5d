#include "tools/tally/error_report.h"

#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "tools/tally/text.h"

namespace tally::cli {
namespace {

struct Row {
  Reason reason;
  ExitCode code;
  absl::string_view hint;  // what to do; empty where the message says it all
};

constexpr auto kRows = std::to_array<Row>({
    {Reason::kFieldMalformed, kExitUsage, "correct it and run again"},
    {Reason::kFieldMissing, kExitUsage, "add it and run again"},
    {Reason::kEnumUnspecified, kExitUsage, "name one of its values"},
    {Reason::kLimitExceeded, kExitUsage, "docs/PROTOCOL.md lists the limits"},
    {Reason::kDocumentMalformed, kExitUsage, "hand over the document as it was on the wire"},
    {Reason::kIdMismatch, kExitUsage, "leave the id out: the document gives it"},
    {Reason::kPageTokenInvalid, kExitUsage, "start the list again"},
    {Reason::kLedgerNotFound, kExitUsage, "`tally ledger list` names those there are"},
    {Reason::kLedgerExists, kExitRefused, "take another name"},
    {Reason::kLedgerAmbiguous, kExitUsage, "name one with --ledger"},
    {Reason::kNotRecorded, kExitCouldNotTell,
     "not seen is not unpaid: look whether all files were imported"},
    {Reason::kAliasAmbiguous, kExitCouldNotTell, "show one of the hits, which stdout lists"},
    {Reason::kEventIdReused, kExitRefused, "another occurrence needs another id"},
    {Reason::kDatabaseHeld, kExitRefused, "ask that process with --server, or stop it"},
    {Reason::kDatabaseFull, kExitRefused, "free space, then run again: nothing is lost"},
    {Reason::kDatabaseUnusable, kExitRefused, "look at path, permissions and file system"},
    {Reason::kSchemaNewer, kExitRefused, "use the newer tally"},
    {Reason::kDataLoss, kExitBroken, "keep the file, and restore a backup"},
    {Reason::kStoreStopped, kExitRefused, "run again: what was recorded is not recorded twice"},
    {Reason::kOverloaded, kExitRefused, "run again later"},
    {Reason::kAddressRefused, kExitRefused, "take another address"},
    {Reason::kServerUnreachable, kExitRefused, "is tallyd running, and is --server its address?"},
    {Reason::kDeadlineExceeded, kExitRefused,
     "run again, with a longer --deadline: what was recorded is not recorded twice"},
    {Reason::kInternal, kExitRefused, ""},
});

constexpr bool IsInEnumOrder() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].reason) != i) return false;
  }
  return static_cast<std::size_t>(Reason::kInternal) + 1 == kRows.size();
}
static_assert(IsInEnumOrder());

const Row* RowOf(const absl::Status& status) {
  const std::optional<Reason> reason = ReasonOf(status);
  return reason.has_value() ? &kRows[static_cast<std::size_t>(*reason)] : nullptr;
}

// The message names most of what the metadata holds; what it leaves out a person needs too.
std::string WithMetadata(const absl::Status& status) {
  std::string message(status.message());
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  for (const char* key : {"field", "seen", "wanted", "pid", "address"}) {
    const auto found = metadata.find(key);
    if (found == metadata.end() || found->second.empty()) continue;
    if (!absl::StrContains(message, found->second)) {
      absl::StrAppend(&message, ", ", key, " ", found->second);
    }
  }
  return message;
}

// Where only a part of the record was looked at, that is what to change first.
absl::string_view HintOf(const Row& row, const absl::Status& status) {
  const bool is_cut = row.reason == Reason::kNotRecorded && MetadataOf(status).count("cut") != 0;
  return is_cut ? absl::string_view("a later time, or none, shows what came since") : row.hint;
}

}  // namespace

ExitCode ExitCodeOf(const absl::Status& status) {
  const Row* row = RowOf(status);
  return row == nullptr ? kExitRefused : row->code;
}

ExitCode ReportError(const absl::Status& status, absl::string_view hint) {
  const Row* row = RowOf(status);
  const ExitCode code = ExitCodeOf(status);
  if (hint.empty() && row != nullptr) hint = HintOf(*row, status);
  std::string line = WithMetadata(status);
  if (!hint.empty()) absl::StrAppend(&line, " (", hint, ")");
  const absl::string_view reason = NameOf(row == nullptr ? Reason::kInternal : row->reason);
  Warn(absl::StrCat(line, " [", reason, ", exit ", static_cast<int>(code), ": ", MeaningOf(code),
                    "]"));
  return code;
}

void Warn(absl::string_view message) {
  std::fprintf(stderr, "tally: %s\n", Printable(message).c_str());
}

}  // namespace tally::cli

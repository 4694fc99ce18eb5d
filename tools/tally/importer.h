// Transcripts into a ledger: reads lines, sends them in batches, and counts what became of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ledger/service/transcript_reader.h"
#include "tools/tally/input.h"
#include "tools/tally/session.h"

namespace tally::cli {

struct LineRef {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
};

// Something a person has to look at.
struct ImportNote {
  enum class Kind { kBadLine, kRequestNotSeen, kTornLine, kFileRefused };
  Kind kind = Kind::kBadLine;
  LineRef at;
  std::string message;  // one sentence, with seen and wanted
  std::string reason;   // an ErrorReason, or empty
  std::string field;
  std::string seen;
  std::string wanted;
};

// At the end every line is in one of the five kinds, so that they add up to `lines`.
struct ImportCounts {
  std::uint64_t files = 0;
  std::uint64_t refused_files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;  // that are not blank
  std::uint64_t with_events = 0;
  std::uint64_t of_recorders = 0;  // say who recorded what follows
  std::uint64_t skipped = 0;       // good, and without an event of their own
  std::uint64_t left_out = 0;      // bad, or their request was not seen
  std::uint64_t torn = 0;
  std::uint64_t recorded = 0;       // events
  std::uint64_t already_there = 0;  // events
};

class Importer {
 public:
  struct Hooks {
    std::function<void(const ImportNote&)> on_note;        // as they come: there may be many
    std::function<void(const ImportCounts&)> on_progress;  // after each batch
  };
  // `api` must outlive this. With `is_strict` nothing after the first finding is recorded.
  Importer(Api& api, v1::Ledger ledger, bool is_strict, Hooks hooks)
      : api_(api), ledger_(std::move(ledger)), is_strict_(is_strict), hooks_(std::move(hooks)) {}

  // Bad lines are notes. An error is the ledger's, and ends the import.
  absl::Status ImportFile(const std::string& path);
  // Sends again what was left out because its request was in a later file; then says what stays
  // out.
  absl::Status Finish();

  const ImportCounts& counts() const { return counts_; }
  bool has_findings() const { return counts_.left_out + counts_.refused_files > 0; }
  bool is_stopped() const { return is_strict_ && has_findings(); }

 private:
  struct Pending {
    LineRef at;
    v1::Observation observation;
    std::size_t bytes = 0;
    bool is_again = false;  // what was recorded of it was counted then
  };

  bool IsFileFit(const std::string& path, std::FILE& file);
  void RefuseFile(const LineRef& at, v1::LedgerRole role);
  absl::Status ImportLines(const std::string& path, std::FILE& file);
  absl::Status ImportLine(const std::string& path, const InputLine& line,
                          service::TranscriptReader& reader, bool* is_over);
  absl::Status Send();
  void Count(const v1::ObservationResult& result, Pending&& sent);
  // For another try at the end, when all files were read; or says that it stays out.
  void PutAside(Pending&& sent);
  void Note(const ImportNote& note);

  Api& api_;
  const v1::Ledger ledger_;
  const bool is_strict_;
  const Hooks hooks_;
  ImportCounts counts_;
  std::vector<Pending> batch_;
  std::size_t batch_bytes_ = 0;
  std::vector<Pending> orphans_;  // their request was not seen yet
  std::size_t orphan_bytes_ = 0;
  bool is_last_try_ = false;
};

}  // namespace tally::cli

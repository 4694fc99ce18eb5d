#include "tools/tally/importer.h"

#include <map>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "tools/tally/message_json.h"

namespace tally::cli {
namespace {

// A frame of full size and what stands around it.
constexpr std::size_t kLineBytesMax = std::size_t{16} * 1024 * 1024 + std::size_t{64} * 1024;
constexpr std::size_t kBatchLines = 500;
constexpr std::size_t kBatchBytes = std::size_t{1024} * 1024;
// What waits for its request: beyond this a line is left out at once.
constexpr std::size_t kOrphanBytesMax = std::size_t{64} * 1024 * 1024;

ImportNote BadLine(const LineRef& at, const absl::Status& status) {
  std::map<std::string, std::string> metadata = MetadataOf(status);
  ImportNote note;
  note.at = at;
  note.message = std::string(status.message());
  note.reason = std::string(NameOf(ReasonOf(status).value_or(Reason::kInternal)));
  note.field = metadata["field"];
  note.seen = metadata["seen"];
  note.wanted = metadata["wanted"];
  return note;
}

absl::Status TooLong(std::uint64_t bytes) {
  const std::string seen = absl::StrCat(bytes, " bytes");
  return Error(Reason::kLimitExceeded, absl::StrCat("line: saw ", seen, ", wanted at most 16 MiB"))
      .With("field", "line")
      .With("seen", seen)
      .With("wanted", "at most 16 MiB");
}

bool IsBlank(absl::string_view text) {
  return text.find_first_not_of(" \t\r") == absl::string_view::npos;
}

// What a killed recorder leaves: the beginning of a line.
bool IsTorn(const InputLine& line) {
  return !line.is_ended && ReasonOf(json::Parse(line.text).status()) == Reason::kDocumentMalformed;
}

}  // namespace

void Importer::Note(const ImportNote& note) {
  switch (note.kind) {
    case ImportNote::Kind::kBadLine:
    case ImportNote::Kind::kRequestNotSeen:
      ++counts_.left_out;
      break;
    case ImportNote::Kind::kTornLine:
      ++counts_.torn;
      break;
    case ImportNote::Kind::kFileRefused:
      ++counts_.refused_files;
      break;
  }
  hooks_.on_note(note);
}

void Importer::RefuseFile(const LineRef& at, v1::LedgerRole role) {
  const std::string seen = absl::StrCat("recorder of role ", WordOf(role));
  const std::string wanted =
      absl::StrCat(WordOf(ledger_.role()), ", the role of ledger ", ledger_.name());
  ImportNote note;
  note.kind = ImportNote::Kind::kFileRefused;
  note.at = at;
  note.message = absl::StrCat("role: saw a ", seen, ", wanted ", wanted);
  note.field = "role";
  note.seen = seen;
  note.wanted = wanted;
  Note(note);
}

// Looks for the recorder lines alone, so that nothing of another party's file is recorded. A pipe
// can't be read twice: there a recorder line counts from where it stands.
bool Importer::IsFileFit(const std::string& path, std::FILE& file) {
  const auto start = std::ftell(&file);
  if (start < 0) return true;
  LineReader lines(file, kLineBytesMax);
  InputLine line;
  while (lines.Next(&line)) {
    if (line.is_over_limit || !absl::StrContains(line.text, "\"recorder\"")) continue;
    service::TranscriptReader reader;
    const auto read = reader.Read(line.text);
    if (!read.ok()) continue;
    const auto* recorder = std::get_if<service::RecorderInfo>(&*read);
    if (recorder == nullptr || recorder->role == ledger_.role()) continue;
    RefuseFile({path, line.number}, recorder->role);
    return false;
  }
  std::clearerr(&file);
  return std::fseek(&file, start, SEEK_SET) == 0;
}

absl::Status Importer::ImportFile(const std::string& path) {
  TALLY_ASSIGN_OR_RETURN(const File file, OpenFile("FILE", path));
  ++counts_.files;
  if (!IsFileFit(path, *file)) return absl::OkStatus();
  TALLY_RETURN_IF_ERROR(ImportLines(path, *file));
  if (std::ferror(file.get()) != 0) return FieldError("FILE", path, "a file that can be read");
  return absl::OkStatus();
}

absl::Status Importer::ImportLines(const std::string& path, std::FILE& file) {
  LineReader lines(file, kLineBytesMax);
  service::TranscriptReader reader;
  const std::uint64_t bytes_before = counts_.bytes;
  InputLine line;
  bool is_over = false;
  while (!is_over && !is_stopped() && lines.Next(&line)) {
    counts_.bytes = bytes_before + lines.bytes_read();
    if (IsBlank(line.text)) continue;
    ++counts_.lines;
    TALLY_RETURN_IF_ERROR(ImportLine(path, line, reader, &is_over));
  }
  return Send();
}

absl::Status Importer::ImportLine(const std::string& path, const InputLine& line,
                                  service::TranscriptReader& reader, bool* is_over) {
  const LineRef at{path, line.number};
  if (line.is_over_limit) {
    Note(BadLine(at, TooLong(line.bytes)));
    return absl::OkStatus();
  }
  auto read = reader.Read(line.text);
  if (!read.ok()) {
    ImportNote note = BadLine(at, read.status());
    if (IsTorn(line)) {
      note.kind = ImportNote::Kind::kTornLine;
      note.message = "the last line is torn, as a killed recorder leaves it";
    }
    Note(note);
    return absl::OkStatus();
  }
  if (const auto* recorder = std::get_if<service::RecorderInfo>(&*read); recorder != nullptr) {
    ++counts_.of_recorders;
    if (recorder->role == ledger_.role()) return absl::OkStatus();
    RefuseFile(at, recorder->role);
    *is_over = true;
    return absl::OkStatus();
  }
  // A large line goes alone: a request holds no more than one.
  if (batch_bytes_ + line.text.size() > kBatchBytes) TALLY_RETURN_IF_ERROR(Send());
  batch_.push_back({at, std::get<v1::Observation>(*std::move(read)), line.text.size()});
  batch_bytes_ += line.text.size();
  // Strict: nothing after the first finding may be on its way.
  const bool is_full = is_strict_ || batch_.size() >= kBatchLines || batch_bytes_ >= kBatchBytes;
  return is_full ? Send() : absl::OkStatus();
}

absl::Status Importer::Send() {
  if (batch_.empty()) return absl::OkStatus();
  v1::ObserveRequest request;
  request.set_ledger(ledger_.name());
  request.set_source(v1::SOURCE_KIND_IMPORT);
  for (const Pending& pending : batch_) *request.add_observations() = pending.observation;
  TALLY_ASSIGN_OR_RETURN(const v1::ObserveResponse response, api_.Observe(request));
  std::vector<Pending> sent = std::exchange(batch_, {});
  batch_bytes_ = 0;
  if (response.results_size() != static_cast<int>(sent.size())) {
    return Error(Reason::kInternal,
                 absl::StrCat("saw ", response.results_size(), " results, wanted ", sent.size()));
  }
  for (int i = 0; i < response.results_size(); ++i) {
    Count(response.results(i), std::move(sent[static_cast<std::size_t>(i)]));
  }
  hooks_.on_progress(counts_);
  return absl::OkStatus();
}

void Importer::Count(const v1::ObservationResult& result, Pending&& sent) {
  for (const v1::Receipt& receipt : result.recorded().receipts()) {
    if (!receipt.is_replayed()) {
      ++counts_.recorded;
    } else if (!sent.is_again) {
      ++counts_.already_there;
    }
  }
  if (result.has_rejected()) {
    const v1::ObservationRejected& rejected = result.rejected();
    ImportNote note;
    note.at = sent.at;
    note.message = rejected.message();
    note.reason = rejected.reason();
    note.field = rejected.field();
    note.seen = rejected.seen();
    note.wanted = rejected.wanted();
    Note(note);
  } else if (service::IsRequestNotSeen(result)) {
    PutAside(std::move(sent));
  } else if (result.has_recorded()) {
    ++counts_.with_events;
  } else {
    ++counts_.skipped;
  }
}

void Importer::PutAside(Pending&& sent) {
  if (!is_last_try_ && !is_strict_ && orphan_bytes_ + sent.bytes <= kOrphanBytesMax) {
    orphan_bytes_ += sent.bytes;
    sent.is_again = true;
    orphans_.push_back(std::move(sent));
    return;
  }
  ImportNote note;
  note.kind = ImportNote::Kind::kRequestNotSeen;
  note.at = sent.at;
  note.message = "not recorded: its request was not seen";
  Note(note);
}

absl::Status Importer::Finish() {
  is_last_try_ = true;
  std::vector<Pending> again = std::exchange(orphans_, {});
  for (Pending& pending : again) {
    batch_bytes_ += pending.bytes;
    batch_.push_back(std::move(pending));
    if (batch_.size() >= kBatchLines || batch_bytes_ >= kBatchBytes) {
      TALLY_RETURN_IF_ERROR(Send());
    }
  }
  return Send();
}

}  // namespace tally::cli

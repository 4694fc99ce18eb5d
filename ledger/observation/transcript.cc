#include "ledger/observation/transcript.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/observation/events.h"
#include "ledger/observation/line_fields.h"
#include "ledger/observation/line_kinds.h"

namespace tally::observation {
namespace {

// A frame of full size, and what stands around it.
constexpr std::size_t kLineBytesMax = kFrameBytesMax + 64 * 1024;
// A document of full depth, and the line that holds it.
constexpr std::size_t kLineDepthMax = json::kDepthMax + 1;

absl::StatusOr<json::Document> ParseLine(absl::string_view line) {
  if (line.size() > kLineBytesMax) {
    return Error(Reason::kLimitExceeded,
                 absl::StrCat("line: saw ", line.size(), " bytes, wanted at most 16 MiB"))
        .With("field", "line")
        .With("seen", absl::StrCat(line.size(), " bytes"))
        .With("wanted", "at most 16 MiB");
  }
  absl::StatusOr<json::Document> document = ParseField("line", line, kLineDepthMax);
  if (document.ok() && document->value.object() == nullptr) {
    return FieldError("line", line, "a JSON object");
  }
  return document;
}

absl::Status CheckVersion(const LineFields& fields) {
  TALLY_ASSIGN_OR_RETURN(const std::optional<std::int64_t> version, fields.Integer("v"));
  return version == std::optional<std::int64_t>(1) ? absl::OkStatus()
                                                   : fields.Refuse("v", "the number 1");
}

// Lines are told apart by what they say; one with a duplicate key says more than its canonical
// form.
std::string FormOf(absl::string_view line, const json::Document& document) {
  if (document.duplicate_keys.empty()) {
    const auto canonical = json::Canonical(document.value, json::NumberPolicy::kAsJavaScript);
    if (canonical.ok()) return *canonical;
  }
  return std::string(line);
}

std::uint64_t HeadOf(const std::string& digest) {
  std::uint64_t head = 0;
  std::memcpy(&head, digest.data(), sizeof(head));
  return head;
}

absl::StatusOr<RecorderLine> ReadRecorder(const LineFields& fields, std::string session) {
  using settlement::LedgerRole;
  static constexpr std::pair<absl::string_view, LedgerRole> kRoles[] = {
      {"seller", LedgerRole::kSeller},
      {"buyer", LedgerRole::kBuyer},
      {"facilitator", LedgerRole::kFacilitator}};
  static constexpr std::pair<absl::string_view, bool settlement::Observes::*> kWords[] = {
      {"mcp", &settlement::Observes::mcp},
      {"facilitator", &settlement::Observes::facilitator},
      {"execution", &settlement::Observes::execution},
      {"client-report", &settlement::Observes::client_report},
      {"chain", &settlement::Observes::chain}};
  RecorderLine out;
  out.session = std::move(session);
  TALLY_ASSIGN_OR_RETURN(out.role, fields.Choice("role", kRoles));
  const json::Value* observes = fields.value().Find("observes");
  constexpr absl::string_view kWanted =
      "an array of mcp, facilitator, execution, client-report, chain";
  if (observes == nullptr || observes->array() == nullptr) {
    return fields.Refuse("observes", kWanted);
  }
  for (const json::Value& word : *observes->array()) {
    bool is_known = false;
    for (const auto& [name, member] : kWords) {
      if (word.string() == nullptr || *word.string() != name) continue;
      out.observes.*member = true;
      is_known = true;
    }
    if (!is_known) return fields.Refuse("observes", kWanted);
  }
  return out;
}

}  // namespace

absl::StatusOr<Line> Transcript::Read(absl::string_view line) {
  TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseLine(line));
  const LineFields fields(line, document.value);
  TALLY_RETURN_IF_ERROR(CheckVersion(fields));
  TALLY_ASSIGN_OR_RETURN(const std::optional<absl::Time> time, fields.Time("time"));
  if (!time.has_value()) return fields.Refuse("time", "a time of RFC 3339");
  TALLY_ASSIGN_OR_RETURN(const std::string kind, fields.String("kind"));
  Observation out;
  out.time = *time;
  out.source = settlement::SourceKind::kImport;
  const bool needs_session = kind != "chain" && kind != "resolution";
  if (needs_session) {
    TALLY_ASSIGN_OR_RETURN(out.session, fields.String("session"));
  } else {
    TALLY_ASSIGN_OR_RETURN(out.session, fields.StringOrEmpty("session"));
  }
  if (kind == "recorder") {
    TALLY_ASSIGN_OR_RETURN(RecorderLine recorder, ReadRecorder(fields, out.session));
    observes_[recorder.session] = recorder.observes;
    return Line(std::move(recorder));
  }
  TALLY_ASSIGN_OR_RETURN(out.body, ReadLineBody(kind, fields));
  const auto observes = observes_.find(out.session);
  out.observes = observes != observes_.end() ? observes->second : ObservesOfKind(out.body);
  const std::string form = FormOf(line, document);
  const std::uint32_t ordinal = seen_[HeadOf(crypto::Sha256(form))]++;
  out.id = absl::StrCat("line_", crypto::Sha256Hex(absl::StrCat(out.session.size(), ":",
                                                                out.session, ordinal, ":", form)));
  return Line(std::move(out));
}

}  // namespace tally::observation

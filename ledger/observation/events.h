// Internal to observation: what the readers of the single kinds share.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ledger/json/value.h"
#include "ledger/observation/observation.h"
#include "ledger/observation/payment_terms.h"
#include "ledger/observation/read.h"
#include "ledger/observation/request_id.h"
#include "ledger/settlement/event.h"
#include "ledger/x402/documents.h"

namespace tally::observation {

inline constexpr std::size_t kFrameBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kOffersMax = 100;

// An event of this observation. `twin` tells two events of one type apart. `bytes` is the wire
// document, if there is one.
settlement::Event EventOf(const Observation& observation, settlement::Subject subject,
                          settlement::Body body, const std::string* bytes = nullptr,
                          absl::string_view twin = "");
Reading Skipped(absl::string_view reason);

// The text as it is when it is no longer than an id may be, else `sha256:` and its digest: a wire
// text of any length must neither be refused nor grow an event over its limit.
std::string BoundedId(absl::string_view text);
// Cut at a character to at most `bytes_max`.
std::string Cut(absl::string_view text, std::size_t bytes_max);

// FIELD_MISSING with field, seen and wanted.
absl::Status Missing(absl::string_view field, absl::string_view wanted);
// JSON of a field within its limits: DOCUMENT_MALFORMED or LIMIT_EXCEEDED with the field named.
absl::StatusOr<json::Document> ParseField(absl::string_view field, absl::string_view text,
                                          std::size_t depth_max = json::kDepthMax);

// "field: saw …, wanted … (condition)" of a status made by x402's readers.
std::string WhyUnreadable(const absl::Status& status);

settlement::SettleReading ReadingOf(const x402::SettleAnswer& answer);
settlement::ReasonClass ClassOf(x402::ReasonClass reason_class);

}  // namespace tally::observation

// Internal to service: fields of requests, or why not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "google/protobuf/timestamp.pb.h"
#include "ledger/types/ids.h"
#include "ledger/x402/documents.h"

namespace tally::service {

inline constexpr std::size_t kPageSizeMax = 1000;
inline constexpr std::size_t kPageSizeDefault = 100;
inline constexpr std::size_t kDocumentBytesMax = 64 * 1024;
// Below what a gRPC client takes by default (4 MiB), with room for what stands around it.
inline constexpr std::size_t kResponseBytesMax = 3 * 1024 * 1024 + 512 * 1024;

absl::Status MissingField(absl::string_view field, absl::string_view wanted);
absl::Status OverLimit(absl::string_view field, std::size_t seen, std::size_t most,
                       absl::string_view unit);
absl::Status UnspecifiedEnum(absl::string_view field, int number);

// At most 256 bytes; FIELD_MISSING when empty and required.
absl::Status CheckId(absl::string_view field, const std::string& text, bool is_required);
absl::StatusOr<SettlementId> ReadSettlementId(absl::string_view field, const std::string& text);
// 0 stands for the default.
absl::StatusOr<std::size_t> ReadPageSize(std::int32_t page_size);
absl::StatusOr<std::optional<absl::Time>> ReadTime(absl::string_view field, bool is_there,
                                                   const google::protobuf::Timestamp& time);
// A PaymentPayload of at most 64 KiB as JSON: DOCUMENT_MALFORMED below `field`, or LIMIT_EXCEEDED.
absl::StatusOr<x402::Payment> ReadPaymentDocument(absl::string_view field,
                                                  const std::string& document);

}  // namespace tally::service

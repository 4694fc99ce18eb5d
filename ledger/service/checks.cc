#include "ledger/service/checks.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/json/value.h"
#include "ledger/protocol/time_codec.h"

namespace tally::service {

absl::Status MissingField(absl::string_view field, absl::string_view wanted) {
  return Error(Reason::kFieldMissing, absl::StrCat(field, ": saw nothing, wanted ", wanted))
      .With("field", field)
      .With("seen", "nothing")
      .With("wanted", wanted);
}

absl::Status OverLimit(absl::string_view field, std::size_t seen, std::size_t most,
                       absl::string_view unit) {
  const std::string saw = absl::StrCat(seen, " ", unit);
  const std::string wanted = absl::StrCat("at most ", most, " ", unit);
  return Error(Reason::kLimitExceeded, absl::StrCat(field, ": saw ", saw, ", wanted ", wanted))
      .With("field", field)
      .With("seen", saw)
      .With("wanted", wanted);
}

absl::Status UnspecifiedEnum(absl::string_view field, int number) {
  return Error(Reason::kEnumUnspecified,
               absl::StrCat(field, ": saw ", number, ", wanted a value of the enum"))
      .With("field", field)
      .With("seen", absl::StrCat(number))
      .With("wanted", "a value of the enum");
}

absl::Status CheckId(absl::string_view field, const std::string& text, bool is_required) {
  if (text.empty() && is_required) return MissingField(field, "1 to 256 bytes");
  if (text.size() > kIdBytesMax) return OverLimit(field, text.size(), kIdBytesMax, "bytes");
  return absl::OkStatus();
}

absl::StatusOr<SettlementId> ReadSettlementId(absl::string_view field, const std::string& text) {
  constexpr absl::string_view kWanted = "sha256: and 64 lower-case hex digits";
  if (text.empty()) return MissingField(field, kWanted);
  absl::StatusOr<SettlementId> id = SettlementId::Parse(text);
  if (!id.ok()) return FieldError(field, text, kWanted);
  return id;
}

absl::StatusOr<std::size_t> ReadPageSize(std::int32_t page_size) {
  if (page_size < 0) {
    return FieldError("page_size", absl::StrCat(page_size), "0 (the default) to 1000");
  }
  if (page_size == 0) return kPageSizeDefault;
  const auto size = static_cast<std::size_t>(page_size);
  if (size > kPageSizeMax) return OverLimit("page_size", size, kPageSizeMax, "rows");
  return size;
}

absl::StatusOr<std::optional<absl::Time>> ReadTime(absl::string_view field, bool is_there,
                                                   const google::protobuf::Timestamp& time) {
  if (!is_there) return std::optional<absl::Time>();
  TALLY_ASSIGN_OR_RETURN(const absl::Time read, protocol::FromProto(field, time));
  return std::optional(read);
}

absl::StatusOr<x402::Payment> ReadPaymentDocument(absl::string_view field,
                                                  const std::string& document) {
  if (document.size() > kDocumentBytesMax) {
    return OverLimit(field, document.size(), kDocumentBytesMax, "bytes");
  }
  const absl::StatusOr<json::Document> parsed = json::Parse(document);
  if (!parsed.ok()) {
    return Error(ReasonOf(parsed.status()).value_or(Reason::kDocumentMalformed),
                 absl::StrCat(field, ": saw ", parsed.status().message(), ", wanted JSON"))
        .With("field", field)
        .With("seen", parsed.status().message())
        .With("wanted", "a PaymentPayload as JSON");
  }
  absl::StatusOr<x402::Payment> payment = x402::ReadPayment(parsed->value);
  if (!payment.ok()) return InField(field, payment.status());
  return payment;
}

}  // namespace tally::service

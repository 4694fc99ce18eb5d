#include "ledger/observation/events.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"
#include "ledger/crypto/sha256.h"

namespace tally::observation {
namespace {

constexpr std::size_t kWordBytesMax = 512;

settlement::RawDocument DocumentOf(const std::string& bytes) {
  settlement::RawDocument out;
  out.length = bytes.size();
  out.sha256 = crypto::Sha256Hex(bytes);
  if (bytes.size() <= settlement::kRawDocumentBytesMax) out.bytes = bytes;
  return out;
}

// Milliseconds as 12 hex digits: ids that begin with their time lie together in a store's index.
// Only of a line, whose id holds the time anyway; elsewhere another time under the same id is to be
// seen.
std::string LeadingTime(absl::Time time) {
  const std::int64_t millis = std::max<std::int64_t>(absl::ToUnixMillis(time), 0);
  return absl::StrFormat("%012x", std::min(millis, (std::int64_t{1} << 48) - 1));
}

std::string Word(absl::string_view text) { return Cut(text, kWordBytesMax); }

}  // namespace

settlement::Event EventOf(const Observation& observation, settlement::Subject subject,
                          settlement::Body body, const std::string* bytes, absl::string_view twin) {
  const bool is_import = observation.source == settlement::SourceKind::kImport;
  settlement::Event event;
  event.event_id =
      absl::StrCat(is_import ? absl::StrCat("imp_", LeadingTime(observation.time), "_") : "obs_",
                   crypto::Sha256Hex(absl::StrCat(observation.id.size(), ":", observation.id,
                                                  settlement::TypeNameOf(body), twin)));
  event.subject = std::move(subject);
  event.occurred_time = observation.time;
  event.recorder = observation.recorder;
  event.source = observation.source;
  event.observes = observation.observes;
  event.body = std::move(body);
  if (bytes != nullptr) event.document = DocumentOf(*bytes);
  return event;
}

Reading Skipped(absl::string_view reason) {
  Reading out;
  out.skipped = reason;
  return out;
}

std::string BoundedId(absl::string_view text) {
  if (text.size() <= kIdBytesMax) return std::string(text);
  return absl::StrCat("sha256:", crypto::Sha256Hex(text));
}

absl::StatusOr<std::string> ReadRequestId(absl::string_view json_text, absl::string_view field) {
  const absl::StatusOr<json::Document> document = json::Parse(json_text);
  if (!document.ok()) return FieldError(field, json_text, "JSON text of a JSON-RPC id");
  const auto canonical = json::Canonical(document->value, json::NumberPolicy::kAsJavaScript);
  const std::string id = canonical.ok() ? *canonical : json::Write(document->value);
  return id.size() <= kIdBytesMax ? id : absl::StrCat("\"", BoundedId(id), "\"");
}

std::string Cut(absl::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end));
}

absl::Status Missing(absl::string_view field, absl::string_view wanted) {
  return Error(Reason::kFieldMissing, absl::StrCat(field, ": saw nothing, wanted ", wanted))
      .With("field", field)
      .With("seen", "nothing")
      .With("wanted", wanted);
}

absl::StatusOr<json::Document> ParseField(absl::string_view field, absl::string_view text,
                                          std::size_t depth_max) {
  if (text.empty()) return Missing(field, "JSON");
  if (text.size() > kFrameBytesMax) {
    return Error(Reason::kLimitExceeded,
                 absl::StrCat(field, ": saw ", text.size(), " bytes, wanted at most 16 MiB"))
        .With("field", field)
        .With("seen", absl::StrCat(text.size(), " bytes"))
        .With("wanted", "at most 16 MiB");
  }
  absl::StatusOr<json::Document> document = json::Parse(text, depth_max);
  if (document.ok()) return document;
  const absl::Status status = document.status();
  return Error(ReasonOf(status).value_or(Reason::kDocumentMalformed),
               absl::StrCat(field, ": saw ", status.message(), ", wanted JSON"))
      .With("field", field)
      .With("seen", status.message())
      .With("wanted", absl::StrCat("JSON in UTF-8, at most ", depth_max, " deep"));
}

std::string WhyUnreadable(const absl::Status& status) {
  const std::map<std::string, std::string> metadata = MetadataOf(status);
  const auto condition = metadata.find("condition");
  std::string out(status.message());
  if (condition != metadata.end()) absl::StrAppend(&out, " (", condition->second, ")");
  return Cut(out, 1024);
}

settlement::Offer OfferOf(const x402::Requirements& requirements) {
  settlement::Offer out;
  out.scheme = Word(requirements.scheme);
  out.network = Word(requirements.network);
  out.asset = Word(requirements.asset);
  out.pay_to = Word(requirements.pay_to);
  out.amount = requirements.amount;
  out.max_timeout_seconds = requirements.max_timeout_seconds;
  out.flow = static_cast<settlement::PaymentFlow>(requirements.flow);
  out.digest = requirements.digest;
  return out;
}

settlement::Terms TermsOf(const x402::Payment& payment) {
  settlement::Terms out;
  out.recipe = std::string(x402::NameOf(payment.recipe));
  out.is_weak = payment.is_weak;
  out.slot = payment.slot.text;
  out.scheme = Word(payment.scheme);
  out.network = payment.network;
  out.asset = Word(payment.asset);
  out.payer = Word(payment.payer);
  out.pay_to = Word(payment.pay_to);
  if (payment.amount.has_value()) out.amount = payment.amount->ToString();
  if (payment.valid_after.has_value())
    out.valid_after = absl::FromUnixSeconds(*payment.valid_after);
  if (payment.valid_before.has_value()) {
    out.valid_before = absl::FromUnixSeconds(*payment.valid_before);
  }
  out.nonce = payment.nonce;
  out.payload_digest = payment.payload_digest;
  return out;
}

void FillFrom(const x402::Payment& payment, settlement::PaymentPresented& out) {
  out.terms = TermsOf(payment);
  if (payment.accepted.has_value()) out.accepted = OfferOf(*payment.accepted);
  out.resource_url = Cut(payment.resource_url, 2048);
  out.challenge_id = payment.challenge_id;
  out.payment_identifier = payment.payment_identifier;
}

settlement::ReasonClass ClassOf(x402::ReasonClass reason_class) {
  return static_cast<settlement::ReasonClass>(reason_class);
}

settlement::SettleReading ReadingOf(const x402::SettleAnswer& answer) {
  settlement::SettleReading out;
  out.outcome = static_cast<settlement::SettleOutcome>(answer.outcome);
  out.reason_class = ClassOf(answer.reason_class);
  out.reason = Word(answer.reason);
  out.chain_tx = Word(answer.chain_tx);
  out.network = Word(answer.network);
  out.payer = Word(answer.payer);
  if (answer.amount.has_value()) out.amount = answer.amount->ToString();
  out.failed_checks = answer.failed_checks;
  return out;
}

// The casts above rest on this: the same words in the same order on both sides.
static_assert(static_cast<int>(x402::PaymentFlow::kEscrow) ==
              static_cast<int>(settlement::PaymentFlow::kEscrow));
static_assert(static_cast<int>(x402::ReasonClass::kUnknown) ==
              static_cast<int>(settlement::ReasonClass::kUnknown));
static_assert(static_cast<int>(x402::SettleOutcome::kUnresolved) ==
              static_cast<int>(settlement::SettleOutcome::kUnresolved));

}  // namespace tally::observation

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/crypto/sha256.h"
#include "ledger/observation/payment_terms.h"
#include "ledger/protocol/event_codec.h"
#include "ledger/service/book.h"
#include "ledger/service/checks.h"
#include "ledger/service/ledgers.h"
#include "ledger/service/receipts.h"

namespace tally::service {
namespace {

constexpr std::size_t kEventsMax = 1000;
constexpr std::size_t kRequestBytesMax = 4 * 1024 * 1024;

// The id is what the document gives, whatever the caller says.
absl::Status ApplyDocument(const std::string& document, settlement::Event& event) {
  if (document.empty()) return absl::OkStatus();
  TALLY_ASSIGN_OR_RETURN(const x402::Payment payment,
                         ReadPaymentDocument("payment_document", document));
  const settlement::Subject subject = settlement::SubjectOf(payment.id);
  if (!event.subject.key.empty() && event.subject != subject) {
    return Error(Reason::kIdMismatch,
                 absl::StrCat("subject: saw \"", event.subject.key,
                              "\", wanted what the payment_document gives, ", subject.key))
        .With("field", "subject")
        .With("seen", event.subject.key)
        .With("wanted", subject.key);
  }
  event.subject = subject;
  if (auto* presented = std::get_if<settlement::PaymentPresented>(&event.body);
      presented != nullptr) {
    observation::FillFrom(payment, *presented);
  }
  if (!event.document.has_value()) {
    event.document =
        settlement::RawDocument{document, crypto::Sha256Hex(document), document.size()};
  }
  return absl::OkStatus();
}

// Bodies that name a resource name it as the ledger does.
struct Naming {
  const store::Ledger& ledger;
  template <typename Body>
  void operator()(Body& body) const {
    if constexpr (requires { body.resource.endpoint; }) {
      if (!body.resource.endpoint.empty()) {
        body.resource.endpoint = EndpointIn(ledger, body.resource.endpoint);
      }
    }
  }
};

absl::StatusOr<std::vector<settlement::Event>> ReadEvents(const v1::RecordEventsRequest& request,
                                                          const store::Ledger& ledger,
                                                          const CallContext& context) {
  std::vector<settlement::Event> events;
  events.reserve(static_cast<std::size_t>(request.events_size()));
  for (int i = 0; i < request.events_size(); ++i) {
    const std::string path = absl::StrCat("events[", i, "]");
    absl::StatusOr<settlement::Event> event = protocol::FromProto(request.events(i));
    if (!event.ok()) return InField(path, event.status());
    const absl::Status status = ApplyDocument(request.events(i).payment_document(), *event);
    if (!status.ok()) return InField(path, status);
    event->recorder = context.principal;
    std::visit(Naming{ledger}, event->body);
    events.push_back(*std::move(event));
  }
  return events;
}

absl::Status CheckRequest(const v1::RecordEventsRequest& request) {
  TALLY_RETURN_IF_ERROR(CheckId("request_id", request.request_id(), false));
  const auto count = static_cast<std::size_t>(request.events_size());
  if (count == 0) return MissingField("events", "1 to 1000 events");
  if (count > kEventsMax) return OverLimit("events", count, kEventsMax, "events");
  const std::size_t bytes = request.ByteSizeLong();
  if (bytes > kRequestBytesMax) return OverLimit("events", bytes, kRequestBytesMax, "bytes");
  return absl::OkStatus();
}

}  // namespace

void LedgerService::RecordEvents(const CallContext& context, const v1::RecordEventsRequest& request,
                                 Done<v1::RecordEventsResponse> done) {
  const absl::Status status = CheckRequest(request);
  if (!status.ok()) return done(status);
  const absl::StatusOr<std::shared_ptr<Book>> book = OpenBook(request.ledger());
  if (!book.ok()) return done(book.status());
  absl::StatusOr<std::vector<settlement::Event>> events =
      ReadEvents(request, (*book)->ledger, context);
  if (!events.ok()) return done(events.status());
  std::vector<Filed> filed;
  for (const settlement::Event& event : *events) filed.push_back(FiledOf(event));
  store_.Append((*book)->ledger.name, *std::move(events),
                [filed = std::move(filed),
                 done = std::move(done)](absl::StatusOr<std::vector<store::Receipt>> receipts) {
                  if (!receipts.ok()) return done(receipts.status());
                  v1::RecordEventsResponse response;
                  for (std::size_t i = 0; i < filed.size(); ++i) {
                    ToProto(filed[i], (*receipts)[i], response.add_receipts());
                  }
                  done(std::move(response));
                });
}

}  // namespace tally::service

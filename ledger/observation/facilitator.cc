#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/observation/events.h"
#include "ledger/observation/kinds.h"

namespace tally::observation {
namespace {

ExchangeKind KindOf(absl::string_view path) {
  path = path.substr(0, path.find_first_of("?#"));
  while (absl::EndsWith(path, "/")) path.remove_suffix(1);
  if (absl::EndsWith(path, "/verify")) return ExchangeKind::kVerify;
  if (absl::EndsWith(path, "/settle")) return ExchangeKind::kSettle;
  return ExchangeKind::kOther;
}

// A payment that gives no id, in a request that knows no call: something to file it under.
CallId CallOfExchange(const Observation& observation, const std::string& exchange) {
  return {observation.session, json::Write(json::Text(absl::StrCat("exchange:", exchange)))};
}

absl::Status CheckExchange(const std::string& exchange) {
  if (exchange.empty()) return Missing("exchange", "the name of request and answer");
  // The call of an unreadable payment is named by it and has to fit an id itself.
  constexpr std::size_t kExchangeBytesMax = kIdBytesMax - 16;
  if (exchange.size() <= kExchangeBytesMax) return absl::OkStatus();
  return Error(Reason::kLimitExceeded, "exchange: longer than an id may be")
      .With("field", "exchange")
      .With("seen", absl::StrCat(exchange.size(), " bytes"))
      .With("wanted", absl::StrCat("at most ", kExchangeBytesMax, " bytes"));
}

settlement::SettlementRequested RequestedOf(const Observation& observation,
                                            const std::string& exchange,
                                            const RememberedExchange& remembered) {
  settlement::SettlementRequested body;
  body.session = observation.session;
  body.exchange = exchange;
  body.facilitator = remembered.facilitator;
  body.phase = remembered.phase;
  body.payload_digest = remembered.payload_digest;
  body.terms = remembered.terms;
  return body;
}

}  // namespace

absl::StatusOr<Reading> ReadFacilitatorRequest(const Observation& observation,
                                               const FacilitatorRequest& request, Calls& calls) {
  TALLY_RETURN_IF_ERROR(CheckExchange(request.exchange));
  RememberedExchange remembered;
  remembered.kind = KindOf(request.path);
  remembered.facilitator = NormalizeEndpoint(Cut(request.facilitator, 2048));
  remembered.phase = request.phase;
  if (remembered.kind == ExchangeKind::kOther) {
    calls.RememberExchange(observation.session, request.exchange, std::move(remembered));
    return Skipped(kNotAboutPayments);
  }
  TALLY_ASSIGN_OR_RETURN(const json::Document document, ParseField("body", request.body));
  std::optional<settlement::Offer> requirements;
  const json::Value* asked = document.value.Find("paymentRequirements");
  if (asked != nullptr && asked->object() != nullptr) {
    requirements = OfferOf(x402::ReadRequirements(*asked));
    remembered.flow = requirements->flow;
  }
  const json::Value* presented = document.value.Find("paymentPayload");
  const absl::StatusOr<x402::Payment> payment = presented == nullptr
                                                    ? Missing("paymentPayload", "the payment")
                                                    : x402::ReadPayment(document.value);
  Reading out;
  if (payment.ok()) {
    remembered.subject = settlement::SubjectOf(payment->id);
    remembered.terms = TermsOf(*payment);
    remembered.payload_digest = payment->payload_digest;
    if (!requirements.has_value() && payment->accepted.has_value()) {
      remembered.flow = OfferOf(*payment->accepted).flow;
    }
  } else {
    settlement::PaymentPresented body;
    body.call = CallOfExchange(observation, request.exchange);
    body.unreadable_reason = WhyUnreadable(payment.status());
    remembered.subject = settlement::SubjectOf(body.call);
    out.events.push_back(EventOf(observation, remembered.subject, std::move(body), &request.body));
  }
  if (remembered.kind == ExchangeKind::kSettle) {
    settlement::SettlementRequested body = RequestedOf(observation, request.exchange, remembered);
    body.requirements = std::move(requirements);
    out.events.push_back(EventOf(observation, remembered.subject, std::move(body), &request.body));
  }
  if (out.events.empty()) out.skipped = kRemembered;
  calls.RememberExchange(observation.session, request.exchange, std::move(remembered));
  return out;
}

namespace {

settlement::VerificationCompleted VerifiedOf(const Observation& observation,
                                             const FacilitatorAnswer& answer,
                                             const RememberedExchange& request,
                                             const json::Value* said) {
  settlement::VerificationCompleted body;
  body.session = observation.session;
  body.exchange = answer.exchange;
  body.facilitator = request.facilitator;
  body.payload_digest = request.payload_digest;
  body.terms = request.terms;
  const x402::VerifyAnswer reading = x402::ReadVerifyAnswer(said);
  if (reading.is_valid.has_value()) {
    body.outcome = *reading.is_valid ? settlement::VerificationOutcome::kValid
                                     : settlement::VerificationOutcome::kInvalid;
  }
  body.reason_class = ClassOf(reading.reason_class);
  body.reason = Cut(answer.transport_error.empty() ? reading.reason : answer.transport_error, 512);
  body.payer = Cut(reading.payer, 512);
  return body;
}

settlement::SettlementAnswered AnsweredOf(const Observation& observation,
                                          const FacilitatorAnswer& answer,
                                          const RememberedExchange& request,
                                          const json::Value* said) {
  settlement::SettlementAnswered body;
  body.session = observation.session;
  body.exchange = answer.exchange;
  body.facilitator = request.facilitator;
  body.phase = request.phase;
  body.payload_digest = request.payload_digest;
  body.terms = request.terms;
  body.flow = request.flow;
  body.transport_error = Cut(answer.transport_error, 512);
  body.http_status = answer.status;
  if (answer.transport_error.empty()) {
    body.reading = ReadingOf(x402::ReadSettleAnswer(said));
  } else {
    body.reading.reason_class = settlement::ReasonClass::kOpen;
  }
  return body;
}

}  // namespace

absl::StatusOr<Reading> ReadFacilitatorAnswer(const Observation& observation,
                                              const FacilitatorAnswer& answer, Calls& calls) {
  TALLY_RETURN_IF_ERROR(CheckExchange(answer.exchange));
  TALLY_ASSIGN_OR_RETURN(const std::optional<RememberedExchange> request,
                         calls.FindExchange(observation.session, answer.exchange));
  if (!request.has_value()) return Skipped(kRequestNotSeen);
  if (request->kind == ExchangeKind::kOther) return Skipped(kNotAboutPayments);
  // An answer that is no JSON is still an answer: its reading says so.
  const absl::StatusOr<json::Document> document = json::Parse(answer.body);
  const json::Value* said =
      document.ok() && answer.transport_error.empty() ? &document->value : nullptr;
  const std::string* bytes = answer.transport_error.empty() ? &answer.body : nullptr;
  Reading out;
  if (request->kind == ExchangeKind::kVerify) {
    out.events.push_back(EventOf(observation, request->subject,
                                 VerifiedOf(observation, answer, *request, said), bytes));
  } else {
    out.events.push_back(EventOf(observation, request->subject,
                                 AnsweredOf(observation, answer, *request, said), bytes));
  }
  return out;
}

}  // namespace tally::observation

#include "ledger/protocol/event_codec.h"

#include <variant>

#include "ledger/protocol/body_codec.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/protocol/time_codec.h"

namespace tally::protocol {
namespace {

void CheckLimits(FieldReader& reader, const v1::Event& in) {
  const std::size_t size = in.ByteSizeLong();
  if (size > settlement::kEventBytesMax) {
    reader.RefuseMore("event", size, settlement::kEventBytesMax);
  }
  const std::size_t document = in.payment_document().size();
  if (document > kPaymentDocumentBytesMax) {
    reader.RefuseMore("payment_document", document, kPaymentDocumentBytesMax);
  }
}

// What only holds between fields, and only for events that a caller types.
void CheckRequest(FieldReader& reader, const v1::Event& in, const settlement::Event& event) {
  const bool has_document = !in.payment_document().empty();
  if (!in.has_subject() && !has_document) {
    reader.RefuseMissing("subject", "a subject, or a payment_document that gives one");
  }
  if (std::holds_alternative<settlement::ExecutionClaimed>(event.body)) {
    reader.Refuse("body.execution_claimed", "ExecutionClaimed", "a call of ClaimExecution");
  }
  const auto* presented = std::get_if<settlement::PaymentPresented>(&event.body);
  if (presented != nullptr && !presented->terms && presented->unreadable_reason.empty() &&
      !has_document) {
    reader.RefuseMissing("body.payment_presented.terms",
                         "terms, a payment_document, or an unreadable_reason");
  }
}

}  // namespace

void ToProto(const settlement::Event& in, v1::Event* out) {
  Put(in.event_id, out->mutable_event_id());
  if (!in.subject.key.empty()) ToProto(in.subject, out->mutable_subject());
  ToProto(in.occurred_time, out->mutable_occurred_time());
  Put(in.recorder, out->mutable_recorder());
  out->set_source(ToProto(in.source));
  ToProto(in.observes, out->mutable_observes());
  ToProto(in.body, out->mutable_body());
  if (in.document) ToProto(*in.document, out->mutable_document());
}

// Not in the header: a request's event needs CheckRequest too.
static void Read(FieldReader& reader, const v1::Event& in, settlement::Event& out) {
  reader.Need("event_id", in.event_id(), out.event_id, IdRule);
  if (in.has_subject()) reader.In("subject", in.subject(), out.subject);
  reader.NeedTime("occurred_time", in.has_occurred_time(), in.occurred_time(), out.occurred_time);
  reader.Text("recorder", in.recorder(), out.recorder);
  reader.Enum("source", in.source(), out.source);
  reader.In("observes", in.observes(), out.observes);
  reader.In("body", in.body(), out.body);
  reader.In("document", in.has_document(), in.document(), out.document);
}

absl::StatusOr<settlement::Event> FromProto(const v1::Event& in) {
  FieldReader reader(Origin::kRequest);
  settlement::Event event;
  CheckLimits(reader, in);
  Read(reader, in, event);
  CheckRequest(reader, in, event);
  if (!reader.status().ok()) return reader.status();
  return event;
}

void ToProto(const settlement::RecordedEvent& in, v1::RecordedEvent* out) {
  ToProto(in.event, out->mutable_event());
  out->set_position(in.position);
  out->set_version(in.version);
  ToProto(in.recorded_time, out->mutable_recorded_time());
}

absl::StatusOr<settlement::RecordedEvent> FromProto(const v1::RecordedEvent& in) {
  FieldReader reader(Origin::kLedger);
  settlement::RecordedEvent recorded;
  reader.In("event", in.event(), recorded.event);
  recorded.position = in.position();
  recorded.version = in.version();
  reader.NeedTime("recorded_time", in.has_recorded_time(), in.recorded_time(),
                  recorded.recorded_time);
  if (!reader.status().ok()) return reader.status();
  return recorded;
}

}  // namespace tally::protocol

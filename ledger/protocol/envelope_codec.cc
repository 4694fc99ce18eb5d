#include "ledger/protocol/envelope_codec.h"

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/body_codec.h"
#include "ledger/protocol/common_codec.h"
#include "ledger/protocol/event_enums.h"
#include "tallystick/storage/v1/envelope.pb.h"

namespace tally::protocol {

namespace storage = ::tallystick::storage::v1;

std::string EncodeEnvelope(const settlement::Event& event) {
  storage::Envelope envelope;
  Put(event.event_id, envelope.mutable_event_id());
  envelope.set_subject_kind(ToProto(event.subject.kind));
  Put(event.subject.key, envelope.mutable_subject_key());
  envelope.set_occurred_time_micros(absl::ToUnixMicros(event.occurred_time));
  Put(event.recorder, envelope.mutable_recorder());
  envelope.set_source(ToProto(event.source));
  ToProto(event.observes, envelope.mutable_observes());
  ToProto(event.body, envelope.mutable_body());
  if (event.document) ToProto(*event.document, envelope.mutable_document());
  // Fields are written in order and there are no maps, so that this is deterministic.
  return envelope.SerializeAsString();
}

absl::StatusOr<settlement::Event> DecodeEnvelope(absl::string_view bytes) {
  storage::Envelope envelope;
  if (!envelope.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Error(Reason::kDataLoss, "a stored event can't be parsed");
  }
  FieldReader reader(Origin::kLedger);
  settlement::Event event;
  event.event_id = envelope.event_id();
  reader.Enum("subject_kind", envelope.subject_kind(), event.subject.kind);
  event.subject.key = envelope.subject_key();
  event.occurred_time = absl::FromUnixMicros(envelope.occurred_time_micros());
  event.recorder = envelope.recorder();
  reader.Enum("source", envelope.source(), event.source);
  reader.In("observes", envelope.observes(), event.observes);
  reader.In("body", envelope.body(), event.body);
  reader.In("document", envelope.has_document(), envelope.document(), event.document);
  if (!reader.status().ok()) {
    return Error(Reason::kDataLoss, absl::StrCat("a stored event can't be read: ",
                                                 absl::string_view(reader.status().message())))
        .With("event_id", event.event_id);
  }
  return event;
}

}  // namespace tally::protocol

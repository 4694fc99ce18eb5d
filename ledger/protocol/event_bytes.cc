#include "ledger/protocol/event_bytes.h"

#include <optional>

#include "ledger/base/error.h"
#include "ledger/protocol/event_enums.h"
#include "ledger/protocol/time_codec.h"
#include "ledger/protocol/wire.h"
#include "tallystick/storage/v1/envelope.pb.h"
#include "tallystick/v1/events.pb.h"

namespace tally::protocol {

namespace v1 = ::tallystick::v1;
using Envelope = ::tallystick::storage::v1::Envelope;

namespace {

using google::protobuf::Timestamp;

absl::Status Unreadable() { return Error(Reason::kDataLoss, "a stored event can't be parsed"); }

// A text of proto3 is left out when it is empty.
std::size_t SizeOfText(int field, absl::string_view text) {
  return text.empty() ? 0 : SizeOfBytes(field, text.size());
}
void AppendText(int field, absl::string_view text, std::string* out) {
  if (!text.empty()) AppendBytes(field, text, out);
}
std::size_t SizeOfPart(int field, const std::optional<absl::string_view>& part) {
  return part.has_value() ? SizeOfBytes(field, part->size()) : 0;
}
void AppendPart(int field, const std::optional<absl::string_view>& part, std::string* out) {
  if (part.has_value()) AppendBytes(field, *part, out);
}

class TimeBytes {
 public:
  explicit TimeBytes(absl::Time time) {
    Timestamp stamp;
    ToProto(time, &stamp);
    seconds_ = static_cast<std::uint64_t>(stamp.seconds());
    nanos_ = static_cast<std::uint64_t>(stamp.nanos());
  }
  std::size_t size() const {
    return SizeOfNumber(Timestamp::kSecondsFieldNumber, seconds_) +
           SizeOfNumber(Timestamp::kNanosFieldNumber, nanos_);
  }
  void Append(int field, std::string* out) const {
    AppendHeader(field, size(), out);
    AppendNumber(Timestamp::kSecondsFieldNumber, seconds_, out);
    AppendNumber(Timestamp::kNanosFieldNumber, nanos_, out);
  }

 private:
  std::uint64_t seconds_ = 0;
  std::uint64_t nanos_ = 0;
};

class SubjectBytes {
 public:
  explicit SubjectBytes(const EventParts& parts) : key_(parts.subject_key) {
    switch (parts.subject_kind) {
      case settlement::SubjectKind::kSettlement:
        field_ = v1::Subject::kSettlementIdFieldNumber;
        break;
      case settlement::SubjectKind::kChallenge:
        field_ = v1::Subject::kChallengeIdFieldNumber;
        break;
      case settlement::SubjectKind::kSlot:
        field_ = v1::Subject::kSlotFieldNumber;
        break;
      case settlement::SubjectKind::kCall:
        field_ = v1::Subject::kCallFieldNumber;
        is_call_ = true;
        break;
    }
  }
  bool is_empty() const { return key_.empty(); }
  std::size_t size() const { return SizeOfBytes(field_, is_call_ ? call_size() : key_.size()); }
  void Append(int field, std::string* out) const {
    AppendHeader(field, size(), out);
    if (!is_call_) return AppendBytes(field_, key_, out);
    AppendHeader(field_, call_size(), out);
    AppendText(v1::CallId::kSessionFieldNumber, session(), out);
    AppendText(v1::CallId::kRequestIdFieldNumber, request_id(), out);
  }

 private:
  // A session name holds no blank, a request id may.
  absl::string_view session() const { return key_.substr(0, key_.find(' ')); }
  absl::string_view request_id() const {
    const std::size_t blank = key_.find(' ');
    return blank == absl::string_view::npos ? "" : key_.substr(blank + 1);
  }
  std::size_t call_size() const {
    return SizeOfText(v1::CallId::kSessionFieldNumber, session()) +
           SizeOfText(v1::CallId::kRequestIdFieldNumber, request_id());
  }

  absl::string_view key_;
  int field_ = 0;
  bool is_call_ = false;
};

class EventBytes {
 public:
  explicit EventBytes(const EventParts& parts)
      : parts_(parts),
        subject_(parts),
        occurred_time_(absl::FromUnixMicros(parts.occurred_time_micros)) {}

  std::size_t size() const {
    return SizeOfText(v1::Event::kEventIdFieldNumber, parts_.event_id) +
           (subject_.is_empty() ? 0
                                : SizeOfBytes(v1::Event::kSubjectFieldNumber, subject_.size())) +
           SizeOfBytes(v1::Event::kOccurredTimeFieldNumber, occurred_time_.size()) +
           SizeOfText(v1::Event::kRecorderFieldNumber, parts_.recorder) +
           SizeOfNumber(v1::Event::kSourceFieldNumber, parts_.source) +
           SizeOfPart(v1::Event::kObservesFieldNumber, parts_.observes) +
           SizeOfPart(v1::Event::kBodyFieldNumber, parts_.body) +
           SizeOfPart(v1::Event::kDocumentFieldNumber, parts_.document);
  }
  // In the order of the fields, as a serializer writes them.
  void Append(int field, std::string* out) const {
    AppendHeader(field, size(), out);
    AppendText(v1::Event::kEventIdFieldNumber, parts_.event_id, out);
    if (!subject_.is_empty()) subject_.Append(v1::Event::kSubjectFieldNumber, out);
    occurred_time_.Append(v1::Event::kOccurredTimeFieldNumber, out);
    AppendText(v1::Event::kRecorderFieldNumber, parts_.recorder, out);
    AppendNumber(v1::Event::kSourceFieldNumber, parts_.source, out);
    AppendPart(v1::Event::kObservesFieldNumber, parts_.observes, out);
    AppendPart(v1::Event::kBodyFieldNumber, parts_.body, out);
    AppendPart(v1::Event::kDocumentFieldNumber, parts_.document, out);
  }

 private:
  const EventParts& parts_;
  const SubjectBytes subject_;
  const TimeBytes occurred_time_;
};

}  // namespace

absl::StatusOr<EventParts> FindParts(absl::string_view envelope) {
  EventParts parts;
  WireReader reader(envelope);
  auto kind = v1::SUBJECT_KIND_UNSPECIFIED;
  while (reader.Next()) {
    switch (reader.field()) {
      case Envelope::kEventIdFieldNumber:
        parts.event_id = reader.bytes();
        break;
      case Envelope::kSubjectKindFieldNumber:
        kind = static_cast<v1::SubjectKind>(reader.number());
        break;
      case Envelope::kSubjectKeyFieldNumber:
        parts.subject_key = reader.bytes();
        break;
      case Envelope::kOccurredTimeMicrosFieldNumber:
        parts.occurred_time_micros = static_cast<std::int64_t>(reader.number());
        break;
      case Envelope::kRecorderFieldNumber:
        parts.recorder = reader.bytes();
        break;
      case Envelope::kSourceFieldNumber:
        parts.source = reader.number();
        break;
      case Envelope::kObservesFieldNumber:
        parts.observes = reader.bytes();
        break;
      case Envelope::kBodyFieldNumber:
        parts.body = reader.bytes();
        break;
      case Envelope::kDocumentFieldNumber:
        parts.document = reader.bytes();
        break;
      default:
        break;
    }
  }
  const auto subject_kind = FromProto<settlement::SubjectKind>(kind);
  if (!reader.is_at_end() || !subject_kind.has_value()) return Unreadable();
  parts.subject_kind = *subject_kind;
  WireReader body(parts.body.value_or(absl::string_view()));
  if (body.Next()) parts.body_kind = body.field();
  return parts;
}

void AppendRecordedEvent(int field, const EventParts& parts, const EventPlace& place,
                         std::string* out) {
  using Recorded = v1::RecordedEvent;
  const EventBytes event(parts);
  const TimeBytes recorded_time(place.recorded_time);
  const auto position = static_cast<std::uint64_t>(place.position);
  const auto version = static_cast<std::uint64_t>(place.version);
  const std::size_t size = SizeOfBytes(Recorded::kEventFieldNumber, event.size()) +
                           SizeOfNumber(Recorded::kPositionFieldNumber, position) +
                           SizeOfNumber(Recorded::kVersionFieldNumber, version) +
                           SizeOfBytes(Recorded::kRecordedTimeFieldNumber, recorded_time.size());
  AppendHeader(field, size, out);
  event.Append(Recorded::kEventFieldNumber, out);
  AppendNumber(Recorded::kPositionFieldNumber, position, out);
  AppendNumber(Recorded::kVersionFieldNumber, version, out);
  recorded_time.Append(Recorded::kRecordedTimeFieldNumber, out);
}

int BodyKindOf(absl::string_view event_type) {
  const auto* descriptor = v1::EventBody::descriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* field = descriptor->field(i);
    if (absl::string_view(field->message_type()->name()) == event_type) return field->number();
  }
  return 0;
}

}  // namespace tally::protocol

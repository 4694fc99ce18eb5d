// Events moved over in bytes are the events that are read and written.
#include "ledger/protocol/event_bytes.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/envelope_codec.h"
#include "ledger/protocol/event_codec.h"
#include "tallystick/v1/settlement_service.pb.h"
#include "tests/ledger/protocol/samples.h"

namespace tally::protocol {
namespace {

// Every sample under every kind of subject, at odd times, and with as little set as can be.
std::vector<settlement::RecordedEvent> Cases() {
  const settlement::Subject subjects[] = {
      {settlement::SubjectKind::kSettlement, "sha256:" + std::string(64, 'a')},
      {settlement::SubjectKind::kChallenge, "chl_" + std::string(26, 'b')},
      {settlement::SubjectKind::kCall, "session \"a b\""},
      {settlement::SubjectKind::kCall, "session"},
      {settlement::SubjectKind::kSlot, "eip3009|eip155:1|0x1|0x2|0x3"},
      {settlement::SubjectKind::kSettlement, ""}};
  const absl::Time times[] = {absl::UnixEpoch(), absl::FromUnixMicros(-1),
                              absl::FromUnixMicros(1'800'000'000'000'001), absl::InfinitePast()};
  std::vector<settlement::RecordedEvent> cases;
  for (settlement::Event event : SampleEvents()) {
    for (const settlement::Subject& subject : subjects) {
      event.subject = subject;
      event.occurred_time = times[cases.size() % std::size(times)];
      cases.push_back({event, static_cast<std::int64_t>(cases.size()) * 1000,
                       static_cast<std::int64_t>(cases.size()),
                       times[(cases.size() + 1) % std::size(times)]});
    }
    event.document.reset();
    event.recorder.clear();
    event.observes = {};
    cases.push_back({event, std::numeric_limits<std::int64_t>::max(), 1, times[0]});
  }
  return cases;
}

TEST(EventBytesTest, AreThoseOfTheEventReadAndWritten) {
  std::string all;
  v1::SubscribeEventsResponse wanted;
  for (const settlement::RecordedEvent& recorded : Cases()) {
    const std::string envelope = EncodeEnvelope(recorded.event);
    const absl::StatusOr<settlement::Event> read = DecodeEnvelope(envelope);
    ASSERT_TRUE(read.ok()) << read.status();
    ToProto(settlement::RecordedEvent{*read, recorded.position, recorded.version,
                                      recorded.recorded_time},
            wanted.add_events());
    const absl::StatusOr<EventParts> parts = FindParts(envelope);
    ASSERT_TRUE(parts.ok()) << parts.status();
    EXPECT_EQ(parts->event_id, absl::string_view(recorded.event.event_id));
    EXPECT_EQ(parts->subject_key, absl::string_view(recorded.event.subject.key));
    EXPECT_EQ(parts->subject_kind, recorded.event.subject.kind);
    EXPECT_EQ(parts->body_kind, BodyKindOf(settlement::TypeNameOf(recorded.event.body)));
    AppendRecordedEvent(v1::SubscribeEventsResponse::kEventsFieldNumber, *parts,
                        {recorded.position, recorded.version, recorded.recorded_time}, &all);
  }
  EXPECT_EQ(all, wanted.SerializeAsString());
}

TEST(EventBytesTest, EveryCutOfAnEnvelopeIsToldFromAWholeOne) {
  const std::string envelope = EncodeEnvelope(SampleEvents().front());
  int whole = 0;
  for (std::size_t size = 0; size < envelope.size(); ++size) {
    const absl::StatusOr<EventParts> parts = FindParts(envelope.substr(0, size));
    // Cut between two fields it is a message, and a shorter one.
    if (parts.ok()) {
      ++whole;
      EXPECT_FALSE(parts->document.has_value());
    } else {
      EXPECT_EQ(ReasonOf(parts.status()), Reason::kDataLoss);
    }
  }
  EXPECT_LT(whole, 9);
}

TEST(EventBytesTest, PartsOfANewerBinaryAreLeftOut) {
  const std::string envelope = EncodeEnvelope(SampleEvents().front());
  const std::string newer =
      absl::StrCat(envelope, "\xf8\x07\x2a",                            // field 127: varint,
                   "\xfa\x07\x02xy", "\xf9\x07", std::string(8, 'z'));  // bytes, fixed64
  const absl::StatusOr<EventParts> before = FindParts(envelope);
  const absl::StatusOr<EventParts> after = FindParts(newer);
  ASSERT_TRUE(before.ok() && after.ok()) << after.status();
  std::string a;
  std::string b;
  AppendRecordedEvent(1, *before, {1, 1, absl::UnixEpoch()}, &a);
  AppendRecordedEvent(1, *after, {1, 1, absl::UnixEpoch()}, &b);
  EXPECT_EQ(a, b);
}

TEST(EventBytesTest, UnknownTypesHaveNoKind) {
  EXPECT_EQ(BodyKindOf("PaymentPresented"), v1::EventBody::kPaymentPresentedFieldNumber);
  EXPECT_EQ(BodyKindOf("paymentpresented"), 0);
  EXPECT_EQ(BodyKindOf(""), 0);
}

}  // namespace
}  // namespace tally::protocol

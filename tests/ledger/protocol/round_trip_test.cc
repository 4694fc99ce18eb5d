#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/protocol/envelope_codec.h"
#include "ledger/protocol/event_codec.h"
#include "ledger/protocol/time_codec.h"
#include "tallystick/storage/v1/envelope.pb.h"
#include "tests/ledger/protocol/samples.h"

namespace tally::protocol {
namespace {

// Fields that no sample sets would make every round trip below prove less than it says.
void ListUnset(const google::protobuf::Message& message, const std::string& path,
               std::vector<std::string>& unset) {
  const auto* descriptor = message.GetDescriptor();
  const auto* reflection = message.GetReflection();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const auto* field = descriptor->field(i);
    const std::string name = absl::StrCat(path, field->name());
    if (field->is_repeated()) {
      if (reflection->FieldSize(message, field) == 0) unset.push_back(name);
      continue;
    }
    if (!reflection->HasField(message, field)) {
      const bool is_choice = field->real_containing_oneof() != nullptr;
      if (!is_choice) unset.push_back(name);
      continue;
    }
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      ListUnset(reflection->GetMessage(message, field), absl::StrCat(name, "."), unset);
    }
  }
}

TEST(RoundTripTest, SamplesSetEveryField) {
  const std::vector<settlement::Event> events = SampleEvents();
  ASSERT_EQ(events.size(), std::variant_size_v<settlement::Body>);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].body.index(), i);
    v1::Event wire;
    ToProto(events[i], &wire);
    EXPECT_EQ(static_cast<std::size_t>(wire.body().body_case()), i + 1);
    std::vector<std::string> unset;
    ListUnset(wire.body(), "", unset);
    EXPECT_EQ(unset, std::vector<std::string>{}) << settlement::TypeNameOf(events[i].body);
  }
}

TEST(RoundTripTest, StoredEnvelopeLosesNothing) {
  for (const settlement::Event& event : SampleEvents()) {
    const absl::StatusOr<settlement::Event> back = DecodeEnvelope(EncodeEnvelope(event));
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(*back, event) << settlement::TypeNameOf(event.body);
    EXPECT_EQ(EncodeEnvelope(*back), EncodeEnvelope(event));
  }
}

TEST(RoundTripTest, StoredEnvelopeOfEmptyBodiesLosesNothing) {
  for (settlement::Event event : SampleEvents()) {
    std::visit([](auto& body) { body = {}; }, event.body);
    event.document.reset();
    const absl::StatusOr<settlement::Event> back = DecodeEnvelope(EncodeEnvelope(event));
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(*back, event) << settlement::TypeNameOf(event.body);
  }
}

TEST(RoundTripTest, RecordedEventLosesNothing) {
  for (const settlement::Event& event : SampleEvents()) {
    const settlement::RecordedEvent recorded = {event, 12, 3, absl::FromUnixMicros(5)};
    v1::RecordedEvent wire;
    ToProto(recorded, &wire);
    const absl::StatusOr<settlement::RecordedEvent> back = FromProto(wire);
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(back->event, event);
    EXPECT_EQ(back->position, 12);
    EXPECT_EQ(back->version, 3);
    EXPECT_EQ(back->recorded_time, recorded.recorded_time);
  }
}

TEST(RoundTripTest, RequestOfSampleEventsLosesNothing) {
  for (settlement::Event event : SampleEvents()) {
    if (std::holds_alternative<settlement::ExecutionClaimed>(event.body)) continue;
    v1::Event wire;
    ToProto(event, &wire);
    const absl::StatusOr<settlement::Event> back = FromProto(wire);
    ASSERT_TRUE(back.ok()) << back.status().message();
    EXPECT_EQ(*back, event) << settlement::TypeNameOf(event.body);
  }
}

TEST(RoundTripTest, NeverEndingWindowStaysSo) {
  settlement::Event event = SampleEvents()[1];
  std::get<settlement::PaymentPresented>(event.body).terms->valid_before = absl::InfiniteFuture();
  const absl::StatusOr<settlement::Event> back = DecodeEnvelope(EncodeEnvelope(event));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, event);
}

TEST(RoundTripTest, TextThatIsNotUtf8CanBeReadAgain) {
  settlement::Event event = SampleEvents()[9];
  event.body = settlement::PaymentReleased{"torn \xe2\x82 text"};
  const absl::StatusOr<settlement::Event> back = DecodeEnvelope(EncodeEnvelope(event));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(std::get<settlement::PaymentReleased>(back->body).reason.substr(0, 5), "torn ");
  EXPECT_NE(std::get<settlement::PaymentReleased>(back->body).reason.find("\xef\xbf\xbd"),
            std::string::npos);
}

TEST(EnvelopeTest, UnreadableBytesAreDataLoss) {
  const std::string good = EncodeEnvelope(SampleEvents()[0]);
  tallystick::storage::v1::Envelope newer;
  ASSERT_TRUE(newer.ParseFromString(good));
  newer.set_source(static_cast<v1::SourceKind>(99));
  const std::string cases[] = {"", "\xff\xff", good.substr(0, good.size() / 2),
                               newer.SerializeAsString()};
  for (const std::string& bytes : cases) {
    const absl::StatusOr<settlement::Event> event = DecodeEnvelope(bytes);
    ASSERT_FALSE(event.ok());
    EXPECT_EQ(ReasonOf(event.status()), Reason::kDataLoss) << event.status().message();
  }
}

TEST(TimeCodecTest, MicrosecondsOnBothSidesOfTheEpoch) {
  for (const std::int64_t micros :
       {0L, 1L, -1L, -1'000'000L, -1'000'001L, 1'750'000'000'000'001L}) {
    google::protobuf::Timestamp wire;
    ToProto(absl::FromUnixMicros(micros), &wire);
    EXPECT_GE(wire.nanos(), 0);
    const absl::StatusOr<absl::Time> back = FromProto("time", wire);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(absl::ToUnixMicros(*back), micros);
  }
}

TEST(TimeCodecTest, OutsideOfTheYearsOfATimestamp) {
  google::protobuf::Timestamp wire;
  ToProto(absl::InfiniteFuture(), &wire);
  EXPECT_EQ(wire.seconds(), 253'402'300'799);
  EXPECT_TRUE(FromProto("time", wire).ok());
  wire.set_seconds(wire.seconds() + 1);
  EXPECT_EQ(ReasonOf(FromProto("time", wire).status()), Reason::kFieldMalformed);
}

}  // namespace
}  // namespace tally::protocol

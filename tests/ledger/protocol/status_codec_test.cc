#include "ledger/protocol/status_codec.h"

#include <gmock/gmock.h>
#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "tallystick/v1/error.pb.h"

namespace tally::protocol {
namespace {

absl::Status AcrossTheWire(const absl::Status& status) {
  return DecodeStatus(static_cast<int>(status.code()), status.message(),
                      EncodeStatusDetails(status));
}

TEST(StatusCodecTest, EveryReasonComesBack) {
  for (const ReasonTraits& traits : AllReasonTraits()) {
    const absl::Status status = Error(traits.reason, "what").With("field", "payer").With("x", "y");
    const absl::Status back = AcrossTheWire(status);
    EXPECT_EQ(back.code(), traits.code);
    EXPECT_EQ(back.message(), "what");
    EXPECT_EQ(ReasonOf(back), traits.reason);
    EXPECT_EQ(MetadataOf(back), MetadataOf(status));
  }
}

TEST(StatusCodecTest, ReasonsOfTheContractAreTheOnesOfTheCode) {
  const auto* descriptor = tallystick::v1::ErrorReason_descriptor();
  EXPECT_EQ(AllReasonTraits().size() + 1, static_cast<std::size_t>(descriptor->value_count()));
  for (const ReasonTraits& traits : AllReasonTraits()) {
    EXPECT_NE(descriptor->FindValueByName(std::string(absl::StrCat("ERROR_REASON_", traits.name))),
              nullptr)
        << traits.name;
  }
}

TEST(StatusCodecTest, WaitIsSaidWhereWaitingHelps) {
  const std::set<Reason> waits = {Reason::kOverloaded, Reason::kDatabaseFull,
                                  Reason::kStoreStopped};
  for (const ReasonTraits& traits : AllReasonTraits()) {
    google::rpc::Status wire;
    ASSERT_TRUE(wire.ParseFromString(EncodeStatusDetails(Error(traits.reason, "what"))));
    google::rpc::RetryInfo retry;
    bool has_retry = false;
    for (const auto& detail : wire.details()) has_retry |= detail.UnpackTo(&retry);
    EXPECT_EQ(has_retry, waits.contains(traits.reason)) << traits.name;
    if (has_retry) {
      EXPECT_TRUE(traits.is_retry_helpful);
      EXPECT_GT(retry.retry_delay().seconds() + retry.retry_delay().nanos(), 0);
    }
  }
}

TEST(StatusCodecTest, StatusOfSomebodyElseKeepsCodeAndMessage) {
  google::rpc::Status foreign;
  google::rpc::ErrorInfo info;
  info.set_reason("FIELD_MALFORMED");
  info.set_domain("example.com");
  foreign.add_details()->PackFrom(info);
  google::rpc::Status newer;
  info.set_domain("tallystick");
  info.set_reason("REASON_OF_A_NEWER_SERVER");
  newer.add_details()->PackFrom(info);
  for (const std::string& details :
       {std::string(), std::string("\xff\xff"), foreign.SerializeAsString(),
        newer.SerializeAsString(), EncodeStatusDetails(absl::UnavailableError("gone"))}) {
    const absl::Status status = DecodeStatus(14, "gone", details);
    EXPECT_EQ(status, absl::UnavailableError("gone"));
    EXPECT_EQ(ReasonOf(status), std::nullopt);
  }
  EXPECT_TRUE(DecodeStatus(0, "", "").ok());
  EXPECT_EQ(EncodeStatusDetails(absl::OkStatus()), "");
}

TEST(StatusCodecTest, FitsInATrailer) {
  std::string seen;
  for (int i = 0; i < 3000; ++i) absl::StrAppend(&seen, "€");
  const absl::Status status =
      Error(Reason::kFieldMalformed, std::string(9000, 'm')).With("field", seen).With("seen", seen);
  const std::string details = EncodeStatusDetails(status);
  EXPECT_LT(details.size(), 6000U);
  const absl::Status back = DecodeStatus(9, "many", details);
  EXPECT_EQ(ReasonOf(back), Reason::kFieldMalformed);
  EXPECT_THAT(MetadataOf(back)["field"], ::testing::EndsWith("€ …"));
}

}  // namespace
}  // namespace tally::protocol

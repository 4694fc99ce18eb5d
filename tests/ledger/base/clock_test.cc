#include "ledger/base/clock.h"

#include "gtest/gtest.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

TEST(TimeTest, ReadAndWritten) {
  const struct {
    const char* text;
    const char* formatted;
  } cases[] = {
      {"2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000000Z"},
      {"2026-01-31t12:00:00.5z", "2026-01-31T12:00:00.500000Z"},
      {"2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123456Z"},
      {"2026-01-31T12:00:00.123456999Z", "2026-01-31T12:00:00.123456Z"},
      {"1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z"},
      {"2026-01-31T12:00:00+05:30", "2026-01-31T06:30:00.000000Z"},
      {"2026-01-31T23:59:59.000001-00:01", "2026-02-01T00:00:59.000001Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"},
      {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"},
  };
  for (const auto& test : cases) {
    const auto time = ParseTime(test.text);
    ASSERT_TRUE(time.ok()) << time.status();
    EXPECT_EQ(FormatTime(*time), test.formatted) << test.text;
    EXPECT_EQ(*ParseTime(FormatTime(*time)), *time);
  }
}

TEST(TimeTest, WhatIsNoRfc3339TimeIsRefused) {
  for (const char* text : {"",
                           "2026-01-31",
                           "2026-01-31T12:00:00",
                           "2026-01-31 12:00:00Z",
                           "2026-1-31T12:00:00Z",
                           "2026-02-30T12:00:00Z",
                           "2025-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-01-31T24:00:00Z",
                           "2026-01-31T12:60:00Z",
                           "2026-01-31T12:00:61Z",
                           "2026-01-31T12:00:00.Z",
                           "2026-01-31T12:00:00,5Z",
                           "2026-01-31T12:00:00+0530",
                           "2026-01-31T12:00:00+24:00",
                           "2026-01-31T12:00:00+05:60",
                           "2026-01-31T12:00:00Z\n",
                           " 2026-01-31T12:00:00Z",
                           "12026-01-31T12:00:00Z",
                           "infinite-future",
                           "1769860800"}) {
    const auto time = ParseTime(text);
    EXPECT_EQ(ReasonOf(time.status()), Reason::kFieldMalformed) << text;
    EXPECT_EQ(MetadataOf(time.status())["field"], "time") << text;
  }
}

TEST(SystemClockTest, NowHasWholeMicroseconds) {
  const absl::Time now = SystemClock().Now();
  EXPECT_EQ(now, absl::FromUnixMicros(absl::ToUnixMicros(now)));
}

}  // namespace
}  // namespace tally

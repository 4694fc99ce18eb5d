#include "ledger/types/uint256.h"

#include "gtest/gtest.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

constexpr char kMax[] =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935";

Uint256 Of(absl::string_view text) { return Uint256::Parse(text).value(); }

std::string ConditionOf(absl::string_view text) {
  const auto value = Uint256::Parse(text);
  EXPECT_EQ(ReasonOf(value.status()), Reason::kFieldMalformed) << text;
  auto metadata = MetadataOf(value.status());
  EXPECT_EQ(metadata["field"], "amount");
  return metadata["condition"];
}

TEST(Uint256Test, CanonicalDecimalsRoundTrip) {
  for (const char* text :
       {"0", "1", "10000", "9999999999999999999", "18446744073709551615", "18446744073709551616",
        "10000000000000000000", "340282366920938463463374607431768211456",
        "115792089237316195423570985008687907853269984665640564039457584007913129639934", kMax}) {
    EXPECT_EQ(Of(text).ToString(), text);
  }
}

TEST(Uint256Test, OtherFormsAreRefused) {
  for (const char* text : {"", "00", "01", "+1", "-1", "-0", "1.0", "1e3", "0x10", " 1", "1 ",
                           "1\n", "1,000", "1_000", "one", "\xd9\xa1"}) {
    EXPECT_EQ(ConditionOf(text), "not_canonical_decimal") << text;
  }
  EXPECT_EQ(ConditionOf(absl::string_view("1\0", 2)), "not_canonical_decimal");
  EXPECT_EQ(ConditionOf(std::string(100, '0')), "not_canonical_decimal");
}

TEST(Uint256Test, ValueAboveTwoTo256IsRefused) {
  EXPECT_EQ(
      ConditionOf("115792089237316195423570985008687907853269984665640564039457584007913129639936"),
      "exceeds_uint256");
  EXPECT_EQ(ConditionOf(std::string(78, '9')), "exceeds_uint256");
  EXPECT_EQ(ConditionOf("1" + std::string(78, '0')), "exceeds_uint256");
  EXPECT_EQ(ConditionOf(std::string(100'000, '9')), "exceeds_uint256");
}

TEST(Uint256Test, PlusCarriesAndStopsAtTheTop) {
  EXPECT_EQ(Of("18446744073709551615").Plus(Of("1")), Of("18446744073709551616"));
  EXPECT_EQ(Of("340282366920938463463374607431768211455").Plus(Of("1")),
            Of("340282366920938463463374607431768211456"));
  EXPECT_EQ(Of(kMax).Plus(Of("0")), Of(kMax));
  EXPECT_EQ(Of(kMax).Plus(Of("1")), std::nullopt);
  EXPECT_EQ(Of(kMax).Plus(Of(kMax)), std::nullopt);
}

TEST(Uint256Test, MinusBorrowsAndStopsAtZero) {
  EXPECT_EQ(Of("18446744073709551616").Minus(Of("1")), Of("18446744073709551615"));
  EXPECT_EQ(Of(kMax).Minus(Of(kMax)), Uint256());
  EXPECT_EQ(Of("0").Minus(Of("1")), std::nullopt);
  EXPECT_EQ(Of("1").Minus(Of(kMax)), std::nullopt);
}

TEST(Uint256Test, OrderIsNumeric) {
  const char* const ascending[] = {"0",
                                   "9",
                                   "10",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "340282366920938463463374607431768211456",
                                   kMax};
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(Of(ascending[i]) <=> Of(ascending[j]), i <=> j);
      EXPECT_EQ(Of(ascending[i]) == Of(ascending[j]), i == j);
    }
  }
  EXPECT_EQ(Uint256(), Of("0"));
  EXPECT_EQ(Uint256(42), Of("42"));
}

TEST(Uint256Test, ToInt64OnlyWhenItFits) {
  EXPECT_EQ(Of("0").ToInt64(), 0);
  EXPECT_EQ(Of("9223372036854775807").ToInt64(), 9223372036854775807);
  EXPECT_EQ(Of("9223372036854775808").ToInt64(), std::nullopt);
  EXPECT_EQ(Of("18446744073709551616").ToInt64(), std::nullopt);
  EXPECT_EQ(Of(kMax).ToInt64(), std::nullopt);
}

TEST(FormatUnitsTest, NeverScientificNoTrailingZeros) {
  const struct {
    const char* amount;
    int decimals;
    const char* text;
  } cases[] = {
      {"10000", 6, "0.01"},
      {"0", 6, "0"},
      {"1", 6, "0.000001"},
      {"1000000", 6, "1"},
      {"1500000", 6, "1.5"},
      {"123456789", 6, "123.456789"},
      {"100", 0, "100"},
      {"100", -1, "100"},
      {"10", 1, "1"},
      {"12", 2, "0.12"},
      {"1", 18, "0.000000000000000001"},
      {"100000000000000000000", 18, "100"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(FormatUnits(Of(test.amount), test.decimals), test.text);
  }
}

TEST(FindAssetTest, KnownPairsOnly) {
  const auto usdc = FindAsset("eip155:8453", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
  ASSERT_TRUE(usdc.has_value());
  EXPECT_EQ(usdc->symbol, "USDC");
  EXPECT_EQ(usdc->decimals, 6);
  EXPECT_TRUE(FindAsset("eip155:84532", "0x036cbd53842c5426634e7929541ec2318f3dcf7e").has_value());
  // The same address on another chain is another contract.
  EXPECT_FALSE(FindAsset("eip155:1", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913").has_value());
  EXPECT_FALSE(FindAsset("base", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913").has_value());
  EXPECT_FALSE(FindAsset("eip155:8453", "").has_value());

  constexpr char kSolana[] = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
  EXPECT_TRUE(FindAsset(kSolana, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v").has_value());
  EXPECT_FALSE(FindAsset(kSolana, "epjfwdd5aufqssqem2qn1xzybapc8g4weggkzwytdt1v").has_value());
}

TEST(Uint256Test, LowByteAndTheRestMakeTheWhole) {
  const struct {
    const char* whole;
    const char* rest;
    int byte;
  } cases[] = {
      {"0", "0", 0},
      {"255", "0", 255},
      {"256", "1", 0},
      {"18446744073709551616", "72057594037927936", 0},
      {"115792089237316195423570985008687907853269984665640564039457584007913129639935",
       "452312848583266388373324160190187140051835877600158453279131187530910662655", 255},
  };
  for (const auto& test : cases) {
    const Uint256 whole = *Uint256::Parse(test.whole);
    EXPECT_EQ(whole.WithoutLowByte().ToString(), test.rest);
    EXPECT_EQ(whole.low_byte(), test.byte);
  }
}

}  // namespace
}  // namespace tally

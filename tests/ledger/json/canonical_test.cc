#include <bit>
#include <cstdint>

#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "ledger/base/error.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

std::string CanonicalOf(absl::string_view text, NumberPolicy policy) {
  const auto document = Parse(text);
  EXPECT_TRUE(document.ok()) << document.status();
  if (!document.ok()) return "";
  const auto canonical = Canonical(document->value, policy);
  return canonical.ok() ? *canonical : std::string(canonical.status().message());
}

bool IsExact(absl::string_view number) {
  return Canonical(Value(Number{std::string(number)}), NumberPolicy::kExact).ok();
}

// RFC 8785 section 3.2.2.
TEST(CanonicalTest, Rfc8785PrimitivesSample) {
  EXPECT_EQ(CanonicalOf(R"({
              "numbers": [333333333.33333329, 1E30, 4.50,
                          2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            })",
                        NumberPolicy::kAsJavaScript),
            R"({"literals":[null,true,false],)"
            R"("numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
            R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

// RFC 8785 section 3.2.3.
TEST(CanonicalTest, Rfc8785SortingSample) {
  EXPECT_EQ(CanonicalOf(R"({
              "\u20ac": "Euro Sign",
              "\r": "Carriage Return",
              "\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One",
              "\ud83d\ude00": "Emoji: Grinning Face",
              "\u0080": "Control",
              "\u00f6": "Latin Small Letter O With Diaeresis"
            })",
                        NumberPolicy::kExact),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xc2\x80\":\"Control\","
            "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
            "\"😀\":\"Emoji: Grinning Face\",\"\xef\xac\xb3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalTest, ShorterKeysComeFirstAndUtf16OrderHoldsInside) {
  EXPECT_EQ(CanonicalOf(R"({"ab":1,"a":2,"":3,"B":4,"\ue000":5,"\ud7ff":6,"a\ud800\udc00":7,)"
                        R"("a\uffff":8})",
                        NumberPolicy::kExact),
            "{\"\":3,\"B\":4,\"a\":2,\"ab\":1,\"a\U00010000\":7,\"a\uffff\":8,\"\ud7ff\":6,"
            "\"\ue000\":5}");
}

// RFC 8785 appendix B.
TEST(CanonicalTest, Rfc8785NumberVectors) {
  const struct {
    std::uint64_t bits;
    const char* text;
  } cases[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& test : cases) {
    // Seventeen digits name a double, and are seldom its shortest form.
    const std::string written = absl::StrFormat("%.17g", std::bit_cast<double>(test.bits));
    EXPECT_EQ(CanonicalOf(written, NumberPolicy::kAsJavaScript), test.text);
    EXPECT_EQ(CanonicalOf(test.text, NumberPolicy::kExact), test.text);
  }
}

TEST(CanonicalTest, ExactPolicyTakesWhatADoublePrintsBack) {
  for (const char* number :
       {"0", "-0", "0.0", "0e99999999999999999999", "0.1", "0.10", "1e2", "100", "1.00E+2", "2.0",
        "1e21", "1000000000000000000000", "9007199254740991", "9007199254740992", "5e-324",
        "1.7976931348623157e308", "-12.5", "0.00000012"}) {
    EXPECT_TRUE(IsExact(number)) << number;
  }
  for (const char* number :
       {"9007199254740993", "0.1000000000000000055511151231257827", "333333333.33333329",
        "18446744073709551615", "1e-999", "4e-324", "1.79769313486231571e308"}) {
    EXPECT_FALSE(IsExact(number)) << number;
  }
}

TEST(CanonicalTest, JavaScriptPolicyWritesWhatJavaScriptReads) {
  const struct {
    const char* number;
    const char* canonical;
  } cases[] = {{"9007199254740993", "9007199254740992"},
               {"0.1000000000000000055511151231257827", "0.1"},
               {"1e-999", "0"},
               {"-1e-999", "0"},
               {"4e-324", "5e-324"},
               {"18446744073709551615", "18446744073709552000"}};
  for (const auto& test : cases) {
    EXPECT_EQ(CanonicalOf(test.number, NumberPolicy::kAsJavaScript), test.canonical);
  }
}

TEST(CanonicalTest, WhatRfc8785CannotHoldIsRefusedUnderEitherPolicy) {
  for (const NumberPolicy policy : {NumberPolicy::kExact, NumberPolicy::kAsJavaScript}) {
    for (const char* number : {"1e999", "-1e999", "NaN", "Infinity", "", "01", "1.", "+1", "1e"}) {
      const auto canonical = Canonical(Value(Number{number}), policy);
      EXPECT_EQ(ReasonOf(canonical.status()), Reason::kDocumentMalformed) << number;
    }
    EXPECT_EQ(ReasonOf(Canonical(Text("\xff"), policy).status()), Reason::kDocumentMalformed);
    Object object;
    Put(object, "\xed\xa0\x80", Value());
    EXPECT_EQ(ReasonOf(Canonical(Value(object), policy).status()), Reason::kDocumentMalformed);
  }
}

TEST(CanonicalTest, EmptyContainersAndNesting) {
  EXPECT_EQ(
      CanonicalOf(R"({ "b" : [ ], "a" : [ { } , [ 1 , "\u007f/" ] ] })", NumberPolicy::kExact),
      "{\"a\":[{},[1,\"\x7f/\"]],\"b\":[]}");
}

}  // namespace
}  // namespace tally::json

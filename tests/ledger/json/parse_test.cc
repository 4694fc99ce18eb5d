#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ledger/base/encoding.h"
#include "ledger/base/error.h"
#include "ledger/json/value.h"

namespace tally::json {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Repeat(absl::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) absl::StrAppend(&out, text);
  return out;
}

TEST(ParseTest, MembersKeepTheirOrderAndNumbersTheirText) {
  for (const char* text :
       {"null",
        "true",
        "false",
        "\"\"",
        "[]",
        "{}",
        "0",
        "-0",
        "-1",
        "2.0",
        "-0.0",
        "1e2",
        "1E+2",
        "0.10",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "115792089237316195423570985008687907853269984665640564039457584007913129639935",
        R"({"z":[1,{"a":null}],"a":"€😀","":{}})",
        R"(["\"\\\b\f\n\r\t\u0001"])"}) {
    const auto document = Parse(text);
    ASSERT_TRUE(document.ok()) << document.status();
    EXPECT_EQ(Write(document->value), text);
    EXPECT_THAT(document->duplicate_keys, IsEmpty());
  }
  EXPECT_EQ(Write(Parse(" \t\r\n[ 1 , \"\\u20ac\\ud83d\\ude00\\/\" ] \n")->value), "[1,\"€😀/\"]");
  const auto zero = Parse(R"({"s":"a\u0000b"})");
  ASSERT_TRUE(zero.ok()) << zero.status();
  EXPECT_EQ(Write(zero->value), R"({"s":"a\u0000b"})");
}

TEST(ParseTest, WhatIsNotJsonIsRefusedAndNamesTheByte) {
  const struct {
    std::string text;
    const char* byte;
  } cases[] = {
      {"", "1"},
      {" ", "2"},
      {"{", "2"},
      {"[1,]", "4"},
      {"{\"a\":1,}", "8"},
      {"[1] x", "5"},
      {"{}{}", "3"},
      {"nul", "4"},
      {"'a'", "1"},
      {"01", "2"},
      {"+1", "1"},
      {"1.", "3"},
      {".5", "1"},
      {"NaN", "1"},
      {"Infinity", "1"},
      {"// c\n1", "1"},
      {"[1 2]", "4"},
      {"\"a\nb\"", "3"},
      {"\"\\x\"", "3"},
      {"[1e999,]", "8"},
      {"1e999x", "6"},
      {"-1e999 -", "9"},
      {"\xef\xbb\xbf{}", "0"},
      {std::string("1\0", 2), "1"},
      {std::string("1\0 garbage", 10), "1"},
      {std::string("\"a\0\"", 4), "2"},
  };
  for (const auto& test : cases) {
    const absl::Status status = Parse(test.text).status();
    EXPECT_EQ(ReasonOf(status), Reason::kDocumentMalformed) << test.text;
    EXPECT_EQ(MetadataOf(status)["byte"], test.byte) << test.text << ": " << status;
  }
}

TEST(ParseTest, InvalidUtf8IsRefusedAndStaysOutOfTheMessage) {
  for (const char* text : {"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"",
                           "\"\xe2\x82\"", "\xff", "{\"\x80\":1}"}) {
    const absl::Status status = Parse(text).status();
    EXPECT_EQ(ReasonOf(status), Reason::kDocumentMalformed);
    EXPECT_TRUE(IsValidUtf8(status.message())) << HexEncode(status.message());
  }
}

TEST(ParseTest, DepthIsLimited) {
  EXPECT_TRUE(Parse(Repeat("[", 64) + Repeat("]", 64)).ok());
  EXPECT_EQ(ReasonOf(Parse(Repeat("[", 65) + Repeat("]", 65)).status()), Reason::kLimitExceeded);
  EXPECT_TRUE(Parse(Repeat("{\"a\":", 64) + "1" + Repeat("}", 64)).ok());
  EXPECT_EQ(ReasonOf(Parse(Repeat("{\"a\":", 65) + "1" + Repeat("}", 65)).status()),
            Reason::kLimitExceeded);
  EXPECT_EQ(ReasonOf(Parse(Repeat("[", 1'000'000)).status()), Reason::kLimitExceeded);
  EXPECT_TRUE(Parse("1", 0).ok());
  EXPECT_EQ(ReasonOf(Parse("[]", 0).status()), Reason::kLimitExceeded);
}

TEST(ParseTest, TheLastDuplicateWinsInTheFirstPlaceAndIsNamed) {
  const auto document =
      Parse(R"({"a":1,"b":{"x":1,"x":2},"a":2,"c/~":[0,{"y":1,"y":2}],"c":3,"a":{"z":0}})");
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(Write(document->value), R"({"a":{"z":0},"b":{"x":2},"c/~":[0,{"y":2}],"c":3})");
  EXPECT_THAT(document->duplicate_keys, ElementsAre("/b/x", "/c~1~0/1/y", "/a"));
}

TEST(ParseTest, KeysThatDifferOnlyInEscapesAreDuplicates) {
  const auto document = Parse(R"({"a":1,"\u0061":2})");
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(Write(document->value), R"({"a":2})");
  EXPECT_THAT(document->duplicate_keys, ElementsAre("/a"));
}

TEST(ParseTest, ManyDuplicatesUnderALongKeyCostNoMoreThanTheText) {
  std::string text = absl::StrCat("{\"", std::string(100'000, 'k'), "\":{\"a\":0,\"a\":0");
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&text, ",\"", i, "\":0,\"", i, "\":1");
  absl::StrAppend(&text, "}}");
  const auto document = Parse(text);
  ASSERT_TRUE(document.ok()) << document.status();
  std::size_t bytes = 0;
  for (const std::string& name : document->duplicate_keys) bytes += name.size();
  EXPECT_GE(document->duplicate_keys.size(), 1u);
  EXPECT_LE(bytes, text.size());
  EXPECT_EQ(Write(document->value).size(),
            100'000 + std::string(R"({"":{"a":0}})").size() + 10 * 6 + 90 * 7 + 900 * 8);
}

// JavaScript reads and writes half pairs; a buyer who sends one must not make a line unreadable.
TEST(ParseTest, HalfSurrogatePairsAreReadAsJavaScriptEncodesThem) {
  const struct {
    absl::string_view text;
    absl::string_view read;
  } kCases[] = {{R"("a\ud800b")",
                 "a\xef\xbf\xbd"
                 "b"},
                {R"("\udc00\ud800")", "\xef\xbf\xbd\xef\xbf\xbd"},
                {R"("\ud83d\ude00")", "\xf0\x9f\x98\x80"},
                {R"("\ud800\ud83d\ude00")", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
                {R"("\\ud800")", "\\ud800"}};
  for (const auto& c : kCases) {
    const absl::StatusOr<Document> document = Parse(c.text);
    ASSERT_TRUE(document.ok()) << c.text << ": " << document.status();
    const std::string* read = document->value.string();
    EXPECT_EQ(read == nullptr ? "no string" : *read, c.read) << c.text;
  }
}

// JSON.parse gives infinity; a buyer who sends one must not make a line unreadable.
TEST(ParseTest, NumbersBeyondADoubleKeepTheirText) {
  const std::string digits = "1" + std::string(400, '0');
  for (const std::string& text :
       {std::string("1e999"), std::string("-1e999"), digits, "-" + digits + ".5",
        absl::StrCat(R"({"a":[0,-1,1.5,1E400,"1e400","\\\"",-2E+999],"b":)", digits,
                     R"(,"c":7})")}) {
    const auto document = Parse(text);
    ASSERT_TRUE(document.ok()) << document.status();
    EXPECT_EQ(Write(document->value), text);
  }
  EXPECT_EQ(Parse("1e999")->value.number()->AsDouble(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Parse("1e999")->value.number()->AsInteger(), std::nullopt);
  EXPECT_EQ(ReasonOf(Canonical(Parse("[1e999]")->value, NumberPolicy::kAsJavaScript).status()),
            Reason::kDocumentMalformed);
  EXPECT_EQ(ReasonOf(Parse(absl::StrCat("[1e999,", Repeat("[", 65))).status()),
            Reason::kLimitExceeded);
}

}  // namespace
}  // namespace tally::json

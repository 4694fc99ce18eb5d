#include "ledger/json/value.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace tally::json {
namespace {

Value Of(absl::string_view text) { return Parse(text).value().value; }

TEST(NumberTest, AsIntegerIsTheIntegerJavaScriptSees) {
  const struct {
    const char* text;
    std::optional<std::int64_t> integer;
  } cases[] = {
      {"0", 0},
      {"-0", 0},
      {"2", 2},
      {"2.0", 2},
      {"2e0", 2},
      {"-1.5e1", -15},
      {"1.5", {}},
      {"1e-400", 0},
      {"9007199254740991", 9007199254740991},
      {"-9007199254740991", -9007199254740991},
      {"9007199254740992", {}},
      {"9007199254740993", {}},
      {"1e999", {}},
      {"x", {}},
      {"", {}},
      {"2x", {}},
  };
  for (const auto& test : cases)
    EXPECT_EQ(Number{test.text}.AsInteger(), test.integer) << test.text;
}

TEST(NumberTest, AsDoubleRoundsOverflowsAndUnderflowsAsJavaScript) {
  EXPECT_EQ(Number{"9007199254740993"}.AsDouble(), 9007199254740992.0);
  EXPECT_EQ(Number{"1e999"}.AsDouble(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Number{"-1e999"}.AsDouble(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(Number{"1e-999"}.AsDouble(), 0.0);
  EXPECT_TRUE(std::signbit(Number{"-0"}.AsDouble()));
  EXPECT_TRUE(std::isnan(Number{"abc"}.AsDouble()));
}

TEST(ValueTest, EveryKindIsOnlyItself) {
  const struct {
    const char* text;
    Kind kind;
    bool is_truthy;
  } cases[] = {
      {"null", Kind::kNull, false},     {"true", Kind::kBoolean, true},
      {"false", Kind::kBoolean, false}, {"0", Kind::kNumber, false},
      {"-0", Kind::kNumber, false},     {"0.0", Kind::kNumber, false},
      {"1e-999", Kind::kNumber, false}, {"2", Kind::kNumber, true},
      {"\"\"", Kind::kString, false},   {"\"0\"", Kind::kString, true},
      {"[]", Kind::kArray, true},       {"{}", Kind::kObject, true},
  };
  for (const auto& test : cases) {
    const Value value = Of(test.text);
    EXPECT_EQ(value.kind(), test.kind) << test.text;
    EXPECT_EQ(value.IsTruthy(), test.is_truthy) << test.text;
    EXPECT_EQ(value.is_null(), test.kind == Kind::kNull);
    EXPECT_EQ(value.boolean() != nullptr, test.kind == Kind::kBoolean);
    EXPECT_EQ(value.number() != nullptr, test.kind == Kind::kNumber);
    EXPECT_EQ(value.string() != nullptr, test.kind == Kind::kString);
    EXPECT_EQ(value.array() != nullptr, test.kind == Kind::kArray);
    EXPECT_EQ(value.object() != nullptr, test.kind == Kind::kObject);
  }
}

TEST(ValueTest, FindGoesAlongKeys) {
  const Value value = Of(R"({"a":{"b":{"c":"deep"}},"n":1,"":"empty"})");
  EXPECT_EQ(*value.Find({"a", "b", "c"})->string(), "deep");
  EXPECT_EQ(value.Find({"a", "x", "c"}), nullptr);
  EXPECT_EQ(value.Find({"n", "b"}), nullptr);
  EXPECT_EQ(value.Find(std::initializer_list<absl::string_view>{}), &value);
  EXPECT_EQ(*value.FindString(""), "empty");
  EXPECT_EQ(value.FindString("n"), nullptr);
  EXPECT_EQ(value.FindString("x"), nullptr);
  EXPECT_EQ(Of("[1]").Find("0"), nullptr);
}

TEST(WriteTest, PutReplacesAndKeepsThePlace) {
  Object object;
  Put(object, "label", Text("PAID"));
  Put(object, "count", Value::Integer(-9223372036854775807));
  Put(object, "label", Value(true));
  EXPECT_EQ(Write(Value(std::move(object))), R"({"label":true,"count":-9223372036854775807})");
}

TEST(WriteTest, PrettyIndentsByTwo) {
  EXPECT_EQ(WritePretty(Of(R"({"a":[1,{"b":null}],"c":[],"d":{}})")),
            "{\n"
            "  \"a\": [\n"
            "    1,\n"
            "    {\n"
            "      \"b\": null\n"
            "    }\n"
            "  ],\n"
            "  \"c\": [],\n"
            "  \"d\": {}\n"
            "}");
  EXPECT_EQ(WritePretty(Value()), "null");
}

TEST(WriteTest, BytesThatAreNotUtf8BecomeTheReplacementCharacter) {
  EXPECT_EQ(Write(Text("a\xff€\xe2\x82")), "\"a\uFFFD€\uFFFD\uFFFD\"");
}

}  // namespace
}  // namespace tally::json

#include "ledger/x402/payment_required.h"

#include <algorithm>

#include "ledger/x402/fields.h"
#include "tests/ledger/x402/documents.h"

namespace tally::x402 {
namespace {

TEST(PaymentRequiredTest, TruthTableAgrees) {
  const json::Value file = LoadJson("schema-truth-table.json");
  for (const json::Value& row : Items(file)) {
    SCOPED_TRACE(TextAt(row, "name"));
    const auto challenge = ReadPaymentRequired(At(row, "value"));
    EXPECT_EQ(challenge.ok(), BooleanAt(row, "accepted")) << challenge.status().message();
  }
}

// Sets or, without a value, removes the member at `path[at]` and below.
void Mutate(json::Value& target, const json::Array& path, std::size_t at,
            const json::Value* value) {
  const std::string key = Seen(&path[at]);
  if (json::Array* array = target.mutable_array(); array != nullptr) {
    return Mutate(array->at(std::stoul(key)), path, at + 1, value);
  }
  json::Object* object = target.mutable_object();
  ASSERT_NE(object, nullptr);
  const auto member = std::find_if(object->begin(), object->end(),
                                   [&key](const auto& pair) { return pair.first == key; });
  if (at + 1 < path.size()) return Mutate(member->second, path, at + 1, value);
  if (member != object->end()) object->erase(member);
  if (value != nullptr) object->emplace_back(key, *value);
}

TEST(PaymentRequiredTest, EverySingleMemberIsReadAsTheSchemaReadsIt) {
  const json::Value file = LoadJson("schema-mutations-core-2.27.0.json");
  for (const json::Value& row : Items(At(file, "rows"))) {
    SCOPED_TRACE(json::Write(row).substr(0, 200));
    json::Value document = At(At(file, "bases"), TextAt(row, "base"));
    Mutate(document, Items(At(row, "path")), 0, row.Find("value"));
    const auto challenge = ReadPaymentRequired(document);
    EXPECT_EQ(challenge.ok(), BooleanAt(row, "accepted")) << challenge.status().message();
  }
}

TEST(PaymentRequiredTest, RootsThatAreNoObjectAreRefused) {
  for (const char* text : {"null", "[]", "\"x\"", "2"}) {
    EXPECT_FALSE(ReadPaymentRequired(Json(text)).ok()) << text;
  }
}

TEST(PaymentRequiredTest, TheFirstRefusedFieldIsNamed) {
  struct Case {
    const char* from;
    const char* to;
    const char* field;
  };
  constexpr Case kCases[] = {
      {R"("amount":"10000")", R"("amount":10000)", "accepts[0].amount"},
      {R"("url":"mcp://tool/analysis")", R"("url":"")", "resource.url"},
      {R"("x402Version":2)", R"("x402Version":3)", "x402Version"},
      {R"("error":"Payment required")", R"("error":1)", "error"},
      {R"("accepts":[)", R"("accepts":[{},)", "accepts[0].scheme"},
  };
  for (const Case& row : kCases) {
    const auto challenge = ReadPaymentRequired(Json(Replaced(kChallenge, row.from, row.to)));
    ASSERT_FALSE(challenge.ok()) << row.to;
    EXPECT_EQ(ReasonOf(challenge.status()), Reason::kDocumentMalformed);
    EXPECT_EQ(MetadataAt(challenge.status(), "field"), row.field);
  }
}

TEST(PaymentRequiredTest, TermsAreRead) {
  const auto challenge =
      ReadPaymentRequired(Json(Replaced(kChallenge, R"("x402Version":2)", R"("x402Version":2.0)")));
  ASSERT_TRUE(challenge.ok()) << challenge.status().message();
  EXPECT_EQ(challenge->version, 2);
  EXPECT_EQ(challenge->error, "Payment required");
  EXPECT_EQ(challenge->resource_url, "mcp://tool/analysis");
  EXPECT_EQ(challenge->challenge_id, "chl_abcdefghijklmnopqrstuvwxyz");
  ASSERT_EQ(challenge->accepts.size(), 1U);
  EXPECT_EQ(challenge->accepts[0].amount, "10000");
}

}  // namespace
}  // namespace tally::x402

// Hostile wire text: whatever a byte or a member is changed to, the readers answer and do not
// crash.
#include <random>

#include "ledger/base/encoding.h"
#include "ledger/x402/documents.h"
#include "ledger/x402/mcp.h"
#include "ledger/x402/payment_required.h"
#include "tests/ledger/x402/documents.h"

namespace tally::x402 {
namespace {

using Random = std::mt19937_64;

std::size_t Below(Random& random, std::size_t limit) {
  return static_cast<std::size_t>(random() % limit);
}

void ReadEverything(const json::Value& value) {
  const auto payment = ReadPayment(value);
  if (payment.ok()) {
    EXPECT_EQ(payment->id.text().size(), 71U);
  } else {
    EXPECT_TRUE(ReasonOf(payment.status()).has_value()) << payment.status().message();
  }
  (void)ReadRequirements(value);
  const SettleAnswer answer = ReadSettleAnswer(&value);
  if (answer.outcome == SettleOutcome::kSettled) {
    EXPECT_FALSE(answer.chain_tx.empty());
  }
  (void)ReadVerifyAnswer(&value);
  (void)ReadPaymentRequired(value);
  (void)TermsOf(value);
  (void)KindOf(value);
  (void)ReadToolCall(value);
  (void)ReadToolAnswer(value);
}

// Removes, or replaces by something else, one member somewhere below `value`.
void MutateMember(json::Value& value, Random& random) {
  if (json::Object* object = value.mutable_object(); object != nullptr && !object->empty()) {
    const std::size_t at = Below(random, object->size());
    auto& member = (*object)[at].second;
    switch (Below(random, 6)) {
      case 0:
        object->erase(object->begin() + static_cast<std::ptrdiff_t>(at));
        return;
      case 1:
        member = json::Value();
        return;
      case 2:
        member = json::Value(json::Number{"1e400"});
        return;
      case 3:
        member = json::Text("\xED\x9F\xBF");
        return;
      default:
        return MutateMember(member, random);
    }
  }
  if (json::Array* array = value.mutable_array(); array != nullptr && !array->empty()) {
    return MutateMember((*array)[Below(random, array->size())], random);
  }
  value = json::Value(json::Array{json::Value(json::Object{})});
}

std::string MutateBytes(std::string text, Random& random) {
  if (Below(random, 3) == 0) return text.substr(0, Below(random, text.size()));
  for (std::size_t flips = 1 + Below(random, 3); flips > 0; --flips) {
    text[Below(random, text.size())] = static_cast<char>(random() & 0xFFU);
  }
  return text;
}

std::vector<std::string> Documents() {
  const std::string call = R"({"id":1,"method":"tools/call","params":{"name":"t","arguments":{},)";
  const std::string result =
      R"({"id":1,"result":{"isError":true,"content":[{"type":"text","text":)";
  return {
      kV2Payment,
      kV1Payment,
      kUptoPayment,
      kErc7710Payment,
      kDeferredPayment,
      kChallenge,
      kSettled,
      absl::StrCat(call, R"("_meta":{"x402/payment":)", kV2Payment, "}}}"),
      absl::StrCat(call, R"("_meta":{"x402/payment":)", Quoted(Base64Encode(kV2Payment)), "}}}"),
      absl::StrCat(result, Quoted(kChallenge), R"(}],"structuredContent":)", kChallenge,
                   R"(,"_meta":{"x402/payment-response":)", kSettled, "}}}"),
  };
}

TEST(MutationTest, NothingCrashes) {
  Random random(20261130);
  const std::vector<std::string> documents = Documents();
  for (int i = 0; i < 20000; ++i) {
    const std::string& text = documents[Below(random, documents.size())];
    if (Below(random, 2) == 0) {
      json::Value value = json::Parse(text)->value;
      MutateMember(value, random);
      ReadEverything(value);
      continue;
    }
    const std::string bytes = MutateBytes(text, random);
    (void)ReadSettleHeader(bytes);
    const auto document = json::Parse(bytes);
    if (document.ok()) ReadEverything(document->value);
  }
}

TEST(MutationTest, DepthIsBounded) {
  const std::string open = std::string(60, '[') + std::string(60, ']');
  ReadEverything(Json(open));
  ReadEverything(Json(absl::StrCat(R"({"x402Version":2,"accepts":)", open, "}")));
  // Text inside text is bounded by its own parse.
  const std::string deep(100000, '[');
  const auto answer = ReadToolAnswer(
      Json(absl::StrCat(R"({"id":1,"result":{"isError":true,"content":[{"type":"text","text":)",
                        Quoted(deep), "}]}}")));
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->payable_doors.empty());
}

}  // namespace
}  // namespace tally::x402

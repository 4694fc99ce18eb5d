// `tally id`: the published vectors, and what people have at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/support/program.h"

namespace tally {
namespace {

using support::Ended;
using support::ParseJson;
using support::RunTally;
using support::TestData;
using support::TextAt;
using ::testing::HasSubstr;

Ended Id(const std::string& text) { return RunTally({"id", "-", "--output", "json"}, text); }

TEST(IdTest, GivesThePublishedVectors) {
  const json::Value file = ParseJson(support::ReadFile(TestData("fingerprint-v0-vectors.json")));
  ASSERT_NE(file.Find("vectors"), nullptr);
  for (const json::Value& vector : *file.Find("vectors")->array()) {
    SCOPED_TRACE(TextAt(vector, {"name"}));
    const Ended ended = Id(json::Write(*vector.Find("held")));
    const json::Value out = ParseJson(ended.out);
    EXPECT_EQ(TextAt(out, {"outcome"}), TextAt(vector, {"expect", "outcome"}));
    EXPECT_EQ(TextAt(out, {"settlementId"}), TextAt(vector, {"expect", "fingerprint"}));
    EXPECT_EQ(TextAt(out, {"condition"}), TextAt(vector, {"expect", "condition"}));
    const bool is_ok = TextAt(out, {"outcome"}) == "ok";
    EXPECT_EQ(ended.code, is_ok ? 0 : 1);
    if (is_ok) {
      EXPECT_EQ(TextAt(out, {"recipe"}), "x402-payment-fingerprint/0");
      EXPECT_THAT(TextAt(out, {"slot"}), HasSubstr("eip3009|eip155:"));
    } else {
      EXPECT_NE(TextAt(out, {"field"}), "");
      EXPECT_NE(TextAt(out, {"seen"}), "");
      EXPECT_NE(TextAt(out, {"wanted"}), "");
    }
  }
}

TEST(IdTest, TakesWhatPeopleHave) {
  const std::string payment = support::ReadFile(TestData("demo-payment.json"));
  const std::string id = TextAt(ParseJson(Id(payment).out), {"settlementId"});
  ASSERT_NE(id, "");
  const std::string frame =
      absl::StrCat(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":)",
                   R"({"x402/payment":)", payment, "}}}");
  const std::string request = absl::StrCat(R"({"x402Version":2,"paymentPayload":)", payment,
                                           R"(,"paymentRequirements":{}})");
  const std::string line = absl::StrCat(R"({"v":1,"kind":"mcp","message":)", frame, "}");
  for (const std::string& text : {frame, request, line}) {
    EXPECT_EQ(TextAt(ParseJson(Id(text).out), {"settlementId"}), id) << text;
  }
  EXPECT_THAT(RunTally({"id", TestData("demo-payment.json")}).out, HasSubstr(id));
  EXPECT_THAT(RunTally({"id", TestData("demo-payment.json"), "--output", "csv"}).out,
              HasSubstr(absl::StrCat("\nok,", id, ",")));
}

struct Bad {
  const char* name;
  const char* from;
  const char* to;
  const char* field;
  const char* seen;
};

// Each takes a good payment and breaks one thing.
TEST(IdTest, SaysWhyThereIsNone) {
  const std::string good = support::ReadFile(TestData("demo-payment.json"));
  const json::Value payment = ParseJson(good);
  const std::string nonce = TextAt(payment, {"payload", "authorization", "nonce"});
  const std::string from = TextAt(payment, {"payload", "authorization", "from"});
  const std::string huge =
      "115792089237316195423570985008687907853269984665640564039457584007913129639936";
  const std::string short_nonce = nonce.substr(0, nonce.size() - 2);
  const std::string short_from = from.substr(0, from.size() - 1);
  const std::vector<Bad> kBad = {
      {"AmountWithExponent", R"("value": "10000")", R"("value": "1e6")", "value", "1e6"},
      {"AmountTooLarge", R"("value": "10000")", nullptr, "value", huge.c_str()},
      {"ShortAddress", from.c_str(), short_from.c_str(), "from", short_from.c_str()},
      {"ShortNonce", nonce.c_str(), short_nonce.c_str(), "nonce", "0x"},
      {"LeadingZeroNetwork", "eip155:84532", "eip155:084532", "network", "eip155:084532"},
  };
  const std::string huge_member = absl::StrCat(R"("value": ")", huge, "\"");
  for (const Bad& bad : kBad) {
    SCOPED_TRACE(bad.name);
    const std::string to = bad.to == nullptr ? huge_member : bad.to;
    const std::string text = absl::StrReplaceAll(good, {{bad.from, to}});
    ASSERT_NE(text, good);
    const Ended ended = Id(text);
    EXPECT_EQ(ended.code, 1);
    const json::Value out = ParseJson(ended.out);
    EXPECT_EQ(TextAt(out, {"outcome"}), "malformed");
    EXPECT_THAT(TextAt(out, {"field"}), HasSubstr(bad.field));
    EXPECT_THAT(TextAt(out, {"seen"}), HasSubstr(std::string(bad.seen).substr(0, 60)));
    EXPECT_NE(TextAt(out, {"wanted"}), "");
    const Ended words = RunTally({"id", "-"}, text);
    EXPECT_THAT(words.err, HasSubstr("tally: no settlement id: "));
    EXPECT_THAT(words.err,
                HasSubstr(absl::StrCat("[DOCUMENT_MALFORMED: ", TextAt(out, {"condition"}),
                                       ", exit 1: a finding]\n")));
    EXPECT_EQ(words.out, "");
  }
}

TEST(IdTest, RefusesWhatIsNoPayment) {
  for (const char* text : {"", "nope", "[]", "{}", "7", "{\"jsonrpc\":\"2.0\"}"}) {
    const Ended ended = Id(text);
    EXPECT_EQ(ended.code, 1) << text;
    EXPECT_EQ(TextAt(ParseJson(ended.out), {"outcome"}), "malformed") << text;
    EXPECT_NE(TextAt(ParseJson(ended.out), {"wanted"}), "") << text << ended.out;
  }
  EXPECT_EQ(RunTally({"id", "/nowhere/at/all"}).code, 2);
}

TEST(IdTest, V1NetworkWithoutAnAliasHasNoId) {
  const json::Value file = ParseJson(support::ReadFile(TestData("fingerprint-v0-vectors.json")));
  const std::string held = json::Write(*file.Find("vectors")->array()->front().Find("held"));
  const Ended ended = Id(absl::StrReplaceAll(held, {{"\"base\"", "\"nowhere-chain\""}}));
  EXPECT_EQ(ended.code, 1);
  const json::Value out = ParseJson(ended.out);
  EXPECT_EQ(TextAt(out, {"field"}), "network");
  EXPECT_EQ(TextAt(out, {"condition"}), "network_unknown_alias");
}

}  // namespace
}  // namespace tally

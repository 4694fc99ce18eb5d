#include "ledger/types/ids.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

TEST(SettlementIdTest, OnlyThePrefixAndSixtyFourLowerCaseDigits) {
  const std::string digits = "4dadfba6c0fb8089fd38c5246d5d16d52121bc92cfbe84075dfd8a3d59de0aa5";
  const auto id = SettlementId::Parse(absl::StrCat("sha256:", digits));
  ASSERT_TRUE(id.ok()) << id.status();
  EXPECT_EQ(id->text(), absl::StrCat("sha256:", digits));
  EXPECT_FALSE(id->is_empty());
  EXPECT_TRUE(SettlementId().is_empty());
  for (const std::string& text :
       {std::string(""), digits, absl::StrCat("SHA256:", digits),
        absl::StrCat("sha256:", digits, "\n"), absl::StrCat("sha256:", digits.substr(1)),
        absl::StrCat("sha256:A", digits.substr(1)), absl::StrCat("sha256:", digits, "0")}) {
    const absl::Status status = SettlementId::Parse(text).status();
    EXPECT_EQ(ReasonOf(status), Reason::kFieldMalformed) << text;
    EXPECT_EQ(MetadataOf(status)["field"], "settlement_id");
  }
}

TEST(ChallengeIdTest, OnlyThePrefixAndTwentySixBase32Characters) {
  const std::string characters = "abcdefghijklmnopqrstuvwx27";
  EXPECT_EQ(ChallengeId::Parse(absl::StrCat("chl_", characters))->text(),
            absl::StrCat("chl_", characters));
  for (const std::string& text :
       {std::string(""), characters, absl::StrCat("chl-", characters),
        absl::StrCat("chl_", characters, "a"), absl::StrCat("chl_", characters, "\n"),
        absl::StrCat("chl_1", characters.substr(1)), absl::StrCat("chl_A", characters.substr(1))}) {
    const absl::Status status = ChallengeId::Parse(text).status();
    EXPECT_EQ(MetadataOf(status)["field"], "challenge_id") << text;
  }
}

TEST(ChallengeIdTest, FromBytesIsAlwaysAnId) {
  for (const std::size_t size : {0u, 1u, 15u, 16u, 17u, 32u}) {
    const ChallengeId id = ChallengeId::FromBytes(std::string(size, '\xa5'));
    EXPECT_EQ(*ChallengeId::Parse(id.text()), id) << size;
  }
  EXPECT_EQ(ChallengeId::FromBytes(std::string(16, '\xa5')),
            ChallengeId::FromBytes(std::string(32, '\xa5')));
  EXPECT_NE(ChallengeId::FromBytes(std::string(16, '\xa5')),
            ChallengeId::FromBytes(std::string(16, '\xa4')));
}

TEST(ResourceTest, OnlyTwoKnownDifferentPairsDisagree) {
  const Resource here{"https://a.example/mcp", "search"};
  const struct {
    Resource other;
    bool is_disagreement;
  } cases[] = {
      {{"https://a.example/mcp", "search"}, false},
      {{"https://a.example/mcp", "fetch"}, true},
      {{"https://b.example/mcp", "search"}, true},
      {{"https://b.example/mcp", ""}, false},
      {{"", "fetch"}, false},
      {{"", ""}, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Disagree(here, test.other), test.is_disagreement);
    EXPECT_EQ(Disagree(test.other, here), test.is_disagreement);
  }
}

TEST(NormalizeEndpointTest, OneFormForOneEndpoint) {
  const struct {
    const char* endpoint;
    const char* normal;
  } cases[] = {
      {"HTTPS://API.Example.COM/MCP", "https://api.example.com/MCP"},
      {"https://api.example.com:443/mcp/", "https://api.example.com/mcp"},
      {"https://api.example.com/", "https://api.example.com"},
      {"https://api.example.com//", "https://api.example.com"},
      {"http://api.example.com:80", "http://api.example.com"},
      {"http://api.example.com:0080", "http://api.example.com"},
      {"http://api.example.com:443", "http://api.example.com:443"},
      {"https://api.example.com:8443/mcp?key=1#top", "https://api.example.com:8443/mcp"},
      {"https://api.example.com?key=a/b", "https://api.example.com"},
      {"https://api.example.com/a?to=https://b.example:80/", "https://api.example.com/a"},
      {"https://api.example.com:/x", "https://api.example.com/x"},
      {"wss://api.example.com:443/ws", "wss://api.example.com/ws"},
      {"https://user:secret@api.example.com/x", "https://api.example.com/x"},
      {"http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"},
      {"http://[2001:DB8::1]", "http://[2001:db8::1]"},
      {"mcp://Server/Tool/", "mcp://server/Tool"},
      {"stdio:", "stdio:"},
      {"", ""},
      {"Weather Server", "Weather Server"},
      {"https://", "https://"},
      {"https://host:port/", "https://host:port/"},
      {"https://a b/", "https://a b/"},
      {"1http://Host/", "1http://Host/"},
      {"file:///srv/Tool/", "file:///srv/Tool/"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(NormalizeEndpoint(test.endpoint), test.normal);
    EXPECT_EQ(NormalizeEndpoint(test.normal), test.normal);
  }
}

}  // namespace
}  // namespace tally

#include "ledger/types/chain.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

TEST(NetworkTest, Caip2IdsAreKeptAsTheyAre) {
  const std::string longest = absl::StrCat("abcdefgh:", std::string(32, 'Z'));
  for (const std::string& text :
       {std::string("eip155:8453"), std::string("eip155:1"),
        std::string("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"), std::string("cosmos:cosmoshub-4"),
        std::string("a-1:_"), longest}) {
    const auto network = Network::Parse(text);
    ASSERT_TRUE(network.ok()) << network.status();
    EXPECT_EQ(network->text(), text);
  }
  EXPECT_TRUE(Network::Parse("eip155:8453")->is_evm());
  EXPECT_FALSE(Network::Parse("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")->is_evm());
  EXPECT_FALSE(Network().is_evm());
}

TEST(NetworkTest, WhatIsNoCaip2IdIsRefused) {
  for (const std::string& text :
       {std::string(""), std::string("base"), std::string(":"), std::string("eip155:"),
        std::string("eip155:0"), std::string("eip155:08453"), std::string("eip155:8453a"),
        std::string("eip155:-1"), std::string("eip155:8453\n"), std::string("eip155: 8453"),
        std::string("EIP155:8453"), std::string("ab:1"), std::string("abcdefghi:1"),
        std::string("solana:a:b"), std::string("solana:a.b"),
        absl::StrCat("solana:", std::string(33, 'a')),
        absl::StrCat("eip155:", std::string(33, '1'))}) {
    const absl::Status status = Network::Parse(text).status();
    EXPECT_EQ(ReasonOf(status), Reason::kFieldMalformed) << text;
    EXPECT_EQ(MetadataOf(status)["field"], "network");
    EXPECT_EQ(MetadataOf(status)["condition"], "network_not_caip2");
  }
}

TEST(NetworkTest, V1NamesAreReadThroughTheTable) {
  const struct {
    const char* text;
    const char* network;
  } cases[] = {{"base", "eip155:8453"},
               {"base-sepolia", "eip155:84532"},
               {"ethereum", "eip155:1"},
               {"solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"},
               {"eip155:8453", "eip155:8453"}};
  for (const auto& test : cases) {
    const auto network = Network::ParseOrAlias(test.text);
    ASSERT_TRUE(network.ok()) << network.status();
    EXPECT_EQ(*network, *Network::Parse(test.network));
  }
}

TEST(NetworkTest, UnknownNamesSayWhichKindTheyAre) {
  const struct {
    const char* text;
    const char* condition;
  } cases[] = {{"", "network_unknown_alias"},       {"Base", "network_unknown_alias"},
               {"base\n", "network_unknown_alias"}, {"8453", "network_unknown_alias"},
               {"eip155:x", "network_not_caip2"},   {"base:", "network_not_caip2"}};
  for (const auto& test : cases) {
    const absl::Status status = Network::ParseOrAlias(test.text).status();
    EXPECT_EQ(MetadataOf(status)["condition"], test.condition) << test.text;
  }
}

TEST(AddressTest, CaseIsLost) {
  const auto address = Address::Parse("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
  ASSERT_TRUE(address.ok()) << address.status();
  EXPECT_EQ(address->text(), "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913");
  EXPECT_EQ(*address, *Address::Parse("0x833589FCD6EDB6E08F4C7C32D4F71B54BDA02913"));
}

TEST(AddressTest, AnythingButFortyDigitsIsRefused) {
  const std::string digits(40, 'a');
  for (const std::string& text :
       {std::string(""), std::string("0x"), digits, absl::StrCat("0X", digits),
        absl::StrCat("0x", digits, "a"), absl::StrCat("0x", digits.substr(1)),
        absl::StrCat("0x", digits, "\n"), absl::StrCat("0x", digits.substr(1), "g"),
        absl::StrCat(" 0x", digits)}) {
    const absl::Status status = Address::Parse(text).status();
    EXPECT_EQ(ReasonOf(status), Reason::kFieldMalformed) << text;
    EXPECT_EQ(MetadataOf(status)["field"], "address");
  }
}

TEST(Bytes32Test, SixtyFourDigitsInLowerCase) {
  const auto word = Bytes32::Parse(absl::StrCat("0x", std::string(64, 'F')));
  ASSERT_TRUE(word.ok()) << word.status();
  EXPECT_EQ(word->text(), absl::StrCat("0x", std::string(64, 'f')));
  for (const std::string& text :
       {std::string("0x"), std::string(64, 'f'), absl::StrCat("0x", std::string(63, 'f')),
        absl::StrCat("0x", std::string(64, 'f'), "\n"), absl::StrCat("0x", std::string(65, 'f'))}) {
    EXPECT_EQ(MetadataOf(Bytes32::Parse(text).status())["field"], "bytes32") << text;
  }
}

}  // namespace
}  // namespace tally

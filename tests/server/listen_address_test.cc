#include "server/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "ledger/base/error.h"
#include "tests/server/tallyd_process.h"

namespace tally::server {
namespace {

TEST(ListenAddressTest, LoopbackAndUnixSocketsAreTaken) {
  struct Case {
    const char* text;
    const char* read;
  };
  for (const Case& c :
       {Case{"127.0.0.1:7402", "127.0.0.1:7402"}, Case{"127.9.8.7:0", "127.9.8.7:0"},
        Case{"localhost:65535", "127.0.0.1:65535"}, Case{"[::1]:7402", "[::1]:7402"},
        Case{"unix:tally.sock", "unix:tally.sock"},
        Case{"unix:///run/tally.sock", "unix:/run/tally.sock"}}) {
    const auto address = ListenAddress::Parse(c.text);
    ASSERT_TRUE(address.ok()) << c.text << ": " << address.status();
    EXPECT_EQ(address->text(), c.read);
  }
}

TEST(ListenAddressTest, WhatOthersCouldReachIsRefused) {
  for (const char* text : {"0.0.0.0:7402", "[::]:7402", "192.168.1.2:7402", "example.com:7402",
                           "[::ffff:10.0.0.1]:7402", "128.0.0.1:7402"}) {
    const auto address = ListenAddress::Parse(text);
    EXPECT_EQ(ReasonOf(address.status()), Reason::kAddressRefused) << text;
    EXPECT_THAT(std::string(address.status().message()), ::testing::HasSubstr("credentials"));
  }
}

TEST(ListenAddressTest, WhatIsNoAddressIsMalformed) {
  for (const char* text : {"", "7402", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           ":7402", "::1:7402", "unix:"}) {
    EXPECT_EQ(ReasonOf(ListenAddress::Parse(text).status()), Reason::kFieldMalformed) << text;
  }
  EXPECT_EQ(ReasonOf(ListenAddress::Parse("unix:" + std::string(200, 'a')).status()),
            Reason::kFieldMalformed);
}

TEST(ListenAddressTest, FileInThePlaceOfASocketStays) {
  const std::string path = NewFolder() + "/file";
  std::ofstream(path) << "precious";
  const auto address = ListenAddress::Parse("unix:" + path);
  ASSERT_TRUE(address.ok()) << address.status();
  EXPECT_EQ(ReasonOf(Prepare(*address)), Reason::kAddressRefused);
  EXPECT_TRUE(std::ifstream(path).good());
}

}  // namespace
}  // namespace tally::server

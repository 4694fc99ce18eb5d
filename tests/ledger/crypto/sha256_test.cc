#include "ledger/crypto/sha256.h"

#include <array>
#include <thread>

#include "gtest/gtest.h"

namespace tally::crypto {
namespace {

// FIPS 180-4 examples.
TEST(Sha256Test, KnownAnswers) {
  const struct {
    std::string bytes;
    const char* hex;
  } cases[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& test : cases) EXPECT_EQ(Sha256Hex(test.bytes), test.hex);
}

TEST(Sha256Test, IsThirtyTwoBytesOfWhichHexIsTheText) {
  EXPECT_EQ(Sha256("abc").size(), 32u);
  EXPECT_EQ(Sha256("abc").substr(0, 4), "\xba\x78\x16\xbf");
}

TEST(Sha256Test, ThreadsDoNotShareAContext) {
  const std::string expected = Sha256Hex("abc");
  std::array<int, 4> wrong = {};
  {
    std::array<std::jthread, 4> threads;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      threads[i] = std::jthread([&wrong, &expected, i] {
        for (int round = 0; round < 1000; ++round) wrong[i] += Sha256Hex("abc") != expected;
      });
    }
  }
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

}  // namespace
}  // namespace tally::crypto

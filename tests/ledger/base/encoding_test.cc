#include "ledger/base/encoding.h"

#include "gtest/gtest.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

std::string AllBytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

TEST(HexTest, RoundTrip) {
  EXPECT_EQ(HexEncode(absl::string_view("\x00\x0f\xff", 3)), "000fff");
  EXPECT_EQ(*HexDecode("00aAFf"), std::string("\x00\xaa\xff", 3));
  EXPECT_EQ(*HexDecode(HexEncode(AllBytes())), AllBytes());
  EXPECT_EQ(*HexDecode(""), "");
}

TEST(HexTest, WhatIsNoHexIsRefused) {
  for (const char* text : {"0", "0x12", "0g", "12 ", "ab\n", "12\n3"}) {
    const auto bytes = HexDecode(text);
    EXPECT_EQ(ReasonOf(bytes.status()), Reason::kFieldMalformed) << text;
    EXPECT_EQ(MetadataOf(bytes.status())["field"], "hex") << text;
  }
}

// RFC 4648 section 10, in lower case and without padding.
TEST(Base32Test, Rfc4648Vectors) {
  const struct {
    const char* bytes;
    const char* text;
  } cases[] = {{"", ""},
               {"f", "my"},
               {"fo", "mzxq"},
               {"foo", "mzxw6"},
               {"foob", "mzxw6yq"},
               {"fooba", "mzxw6ytb"},
               {"foobar", "mzxw6ytboi"}};
  for (const auto& test : cases) EXPECT_EQ(Base32Encode(test.bytes), test.text);
  EXPECT_EQ(Base32Encode(std::string(16, '\xff')),
            "777777777777777777777777"
            "74");
}

// RFC 4648 section 10.
TEST(Base64Test, Rfc4648Vectors) {
  const struct {
    const char* bytes;
    const char* text;
    const char* unpadded;
  } cases[] = {{"", "", ""},
               {"f", "Zg==", "Zg"},
               {"fo", "Zm8=", "Zm8"},
               {"foo", "Zm9v", "Zm9v"},
               {"foob", "Zm9vYg==", "Zm9vYg"},
               {"fooba", "Zm9vYmE=", "Zm9vYmE"},
               {"foobar", "Zm9vYmFy", "Zm9vYmFy"}};
  for (const auto& test : cases) {
    EXPECT_EQ(Base64Encode(test.bytes), test.text);
    EXPECT_EQ(*Base64Decode(test.text), test.bytes);
    EXPECT_EQ(*Base64Decode(test.unpadded), test.bytes);
  }
  EXPECT_EQ(*Base64Decode(Base64Encode(AllBytes())), AllBytes());
}

TEST(Base64Test, EitherAlphabetIsRead) {
  EXPECT_EQ(*Base64Decode("++//"), "\xfb\xef\xff");
  EXPECT_EQ(*Base64Decode("--__"), "\xfb\xef\xff");
}

TEST(Base64Test, WhatIsNoBase64IsRefused) {
  for (const char* text : {"Z", "Zg=", "Zg===", "Zm9v=", "Zm9vY", "=", "====", "Zg==Zg==", "Zm 9",
                           "Zm9v\n", "Zm9!", "+-//", "Z===", "Zg.."}) {
    EXPECT_EQ(ReasonOf(Base64Decode(text).status()), Reason::kFieldMalformed) << text;
  }
}

TEST(Utf8Test, WellFormedAndIllFormed) {
  for (const char* text :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a€😀z"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  for (const char* text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2z", "\xe0\x9f\xbf", "\xe2\x82",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "ok\xfe"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << HexEncode(text);
  }
  EXPECT_TRUE(IsValidUtf8(absl::string_view("\0", 1)));
}

TEST(Utf8Test, CharacterBytes) {
  EXPECT_EQ(Utf8CharacterBytes("az"), 1u);
  EXPECT_EQ(Utf8CharacterBytes("éz"), 2u);
  EXPECT_EQ(Utf8CharacterBytes("€z"), 3u);
  EXPECT_EQ(Utf8CharacterBytes("😀z"), 4u);
  EXPECT_EQ(Utf8CharacterBytes(""), 0u);
  EXPECT_EQ(Utf8CharacterBytes("\xff"), 0u);
}

}  // namespace
}  // namespace tally

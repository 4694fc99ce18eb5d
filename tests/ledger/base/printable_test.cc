#include "ledger/base/printable.h"

#include <gtest/gtest.h>

#include "ledger/base/encoding.h"

namespace tally {
namespace {

TEST(PrintableTest, WritesOutWhatSteersHidesOrTurns) {
  const struct {
    std::string text;
    std::string printable;
  } cases[] = {
      {"plain €😀 text", "plain €😀 text"},
      {"a\nb\r\t", "a\\nb\\r\\t"},
      {std::string("\0\x1b[31m\x7f", 7), "\\x00\\x1b[31m\\x7f"},
      {"\xc2\x9b", "\\u009b"},
      {"\xc2\xa0", "\xc2\xa0"},
      {"\xff€\xe2\x82", "\\xff€\\xe2\\x82"},
      {"pay\u202emoc.elpmaxe", "pay\\u202emoc.elpmaxe"},
      {"\u2066a\u2069\u200f\u061c", "\\u2066a\\u2069\\u200f\\u061c"},
      {"squ\u200bare\ufeff\u00ad", "squ\\u200bare\\ufeff\\u00ad"},
      {"a\u2028b\u2029", "a\\u2028b\\u2029"},
      {"x\U000E0041", "x\\u{e0041}"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Printable(test.text), test.printable);
    EXPECT_TRUE(IsValidUtf8(Printable(test.text)));
  }
}

TEST(PrintableTest, IsCutAfterCharactersNotBytes) {
  EXPECT_EQ(Printable("€€€", 3), "€€€");
  EXPECT_EQ(Printable("€€€", 2), "€€…");
  EXPECT_EQ(Printable("\x1b\x1b", 1), "\\x1b…");
}

}  // namespace
}  // namespace tally

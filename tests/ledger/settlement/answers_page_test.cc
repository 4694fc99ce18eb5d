// docs/ANSWERS.md explains every word of an answer: each has a row in the table of its section, and
// no row is about a word that is not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "ledger/settlement/answer.h"
#include "ledger/settlement/names.h"
#include "tests/support/claim_refusals.h"

namespace tally::settlement {
namespace {

template <typename E>
std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (int i = 0; NameOf(static_cast<E>(i)) != "UNKNOWN_VALUE"; ++i) {
    names.emplace_back(NameOf(static_cast<E>(i)));
  }
  return names;
}

// The first cells of the table rows below "## `heading`", without the table's head.
std::vector<std::string> RowsOf(absl::string_view heading) {
  std::ifstream page(absl::StrCat(TALLY_SOURCE_DIR, "/docs/ANSWERS.md"));
  std::vector<std::string> rows;
  bool is_inside = false;
  bool is_below_head = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) is_inside = line.substr(3) == heading;
    if (!is_inside) continue;
    const bool is_row = line.rfind('|', 0) == 0;
    if (is_row && is_below_head) {
      const std::vector<std::string> cells = absl::StrSplit(line, '|');
      rows.emplace_back(absl::StripAsciiWhitespace(cells[1]));
    }
    is_below_head = is_row && (is_below_head || line.rfind("|--", 0) == 0);
  }
  return rows;
}

template <typename E>
void ExpectExplained(absl::string_view heading) {
  EXPECT_THAT(RowsOf(heading), ::testing::UnorderedElementsAreArray(Names<E>()))
      << "docs/ANSWERS.md, section \"" << heading << "\"";
}

TEST(AnswersPageTest, ExplainsEveryWord) {
  ExpectExplained<Label>("Labels");
  ExpectExplained<Advice>("Advice");
  ExpectExplained<Liveness>("Liveness");
  ExpectExplained<Presentation>("Presentation");
  ExpectExplained<Execution>("Execution");
  ExpectExplained<Settlement>("Settlement");
  ExpectExplained<Delivery>("Delivery");
  ExpectExplained<Word>("Whose word");
  ExpectExplained<Anomaly>("Anomalies");
  ExpectExplained<ClaimRefusal>("Refused claims");
}

}  // namespace
}  // namespace tally::settlement

// The recorder dies after any line: what is left never reads as more than it proves, and the rest
// of the file mends it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/acceptance/in_process.h"
#include "tests/support/program.h"

namespace tally::acceptance {
namespace {

using Labels = std::vector<std::string>;

v1::LedgerRole RoleOf(const std::string& path) {
  return absl::StrContains(path, ".seller.") ? v1::LEDGER_ROLE_SELLER : v1::LEDGER_ROLE_BUYER;
}

std::vector<std::string> AllPaths() {
  std::vector<std::string> paths = support::Transcripts("seller");
  const std::vector<std::string> buyer = support::Transcripts("buyer");
  paths.insert(paths.end(), buyer.begin(), buyer.end());
  return paths;
}

std::string FileOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(slash + 1, path.size() - slash - 1 - std::string(".jsonl").size());
}

// Words of the rows that the first `count` lines give, as of the last of them or later.
std::string LabelsAfter(const std::string& path, std::size_t count, absl::Duration later) {
  std::vector<std::string> lines = LinesOf(path);
  lines.resize(count);
  Book book(RoleOf(path));
  book.Import(lines);
  std::vector<std::string> words;
  for (const v1::Settlement& row : book.List(TimeOf(lines.back()) + later)) {
    words.push_back(v1::Label_Name(row.label()).substr(std::string("LABEL_").size()));
  }
  return absl::StrJoin(words, " ");
}

struct Written {
  const char* file;
  Labels labels;  // after each line
};

TEST(CutsTest, EveryCutReadsAsWrittenByHand) {
  const std::vector<Written> kWritten = {
      {"settled.seller",
       {"", "", "CHALLENGED", "PRESENTED", "PRESENTED", "VERIFIED", "RUNNING", "RAN_OPEN",
        "RAN_OPEN", "PAID_DELIVERY_UNKNOWN", "PAID"}},
      {"settled.buyer", {"", "", "CHALLENGED", "PRESENTED", "PAID", "PAID"}},
      {"recorder-throws.seller",
       {"", "", "CHALLENGED", "PRESENTED", "PRESENTED", "VERIFIED", "RUNNING", "RAN_OPEN",
        "RAN_OPEN", "PAID_DELIVERY_UNKNOWN", "PAID_UNDELIVERED"}},
      {"recorder-throws.buyer", {"", "", "CHALLENGED", "PRESENTED", "IN_DOUBT", "IN_DOUBT"}},
      {"settle-false.seller",
       {"", "", "CHALLENGED", "PRESENTED", "PRESENTED", "VERIFIED", "RUNNING", "RAN_OPEN",
        "RAN_OPEN", "RAN_UNPAID", "RAN_UNPAID"}},
      {"settle-false.buyer", {"", "", "CHALLENGED", "PRESENTED", "RAN_UNPAID", "RAN_UNPAID"}},
  };
  for (const Written& written : kWritten) {
    const std::string path =
        support::TestData(absl::StrCat("transcripts/", written.file, ".jsonl"));
    ASSERT_EQ(LinesOf(path).size(), written.labels.size()) << written.file;
    for (std::size_t count = 1; count <= written.labels.size(); ++count) {
      EXPECT_EQ(LabelsAfter(path, count, absl::ZeroDuration()), written.labels[count - 1])
          << written.file << " after line " << count;
    }
  }
}

// The line of each transcript that proves what it claims in the end; the others claim nothing.
const std::map<std::string, std::pair<std::string, std::size_t>>& Proofs() {
  static const std::map<std::string, std::pair<std::string, std::size_t>> kProofs = {
      {"settled.seller", {"PAID", 11}},             // the answer went out, after the settlement
      {"settled.buyer", {"PAID", 5}},               // content and a receipt
      {"settle-false.seller", {"RAN_UNPAID", 10}},  // the only attempt failed
      {"settle-false.buyer", {"RAN_UNPAID", 5}},    // content and a receipt that says no
      {"refused.seller", {"REFUSED", 6}},           // the facilitator said invalid
      {"tool-error.seller", {"TOOL_FAILED", 8}},    // the end of the run
  };
  return kProofs;
}

bool IsClaim(const std::string& label) {
  return label == "PAID" || label == "RAN_UNPAID" || label == "REFUSED" || label == "TOOL_FAILED";
}

TEST(CutsTest, NoCutClaimsBeforeTheLineThatProves) {
  for (const std::string& path : AllPaths()) {
    const std::string file = FileOf(path);
    const std::size_t lines = LinesOf(path).size();
    const auto proof = Proofs().find(file);
    for (std::size_t count = 1; count <= lines; ++count) {
      // Silence must not turn into a claim by time either.
      for (const absl::Duration later : {absl::ZeroDuration(), absl::Hours(24 * 30)}) {
        const std::string label = LabelsAfter(path, count, later);
        if (!IsClaim(label)) continue;
        ASSERT_NE(proof, Proofs().end()) << file << " after line " << count << ": " << label;
        EXPECT_EQ(label, proof->second.first) << file << " after line " << count;
        EXPECT_GE(count, proof->second.second) << file << ": " << label;
      }
    }
    if (proof != Proofs().end()) {
      EXPECT_EQ(LabelsAfter(path, lines, absl::ZeroDuration()), proof->second.first) << file;
    }
  }
}

TEST(CutsTest, CutThenWholeIsWhole) {
  for (const std::string& path : AllPaths()) {
    const std::vector<std::string> lines = LinesOf(path);
    const absl::Time as_of = TimeOf(lines.back());
    Book whole(RoleOf(path));
    whole.Import(lines);
    const std::string wanted = whole.Dump(as_of);
    for (std::size_t count = 1; count < lines.size(); ++count) {
      Book book(RoleOf(path));
      book.Import({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)});
      book.Import(lines);
      EXPECT_EQ(book.Dump(as_of), wanted) << path << " cut after line " << count;
    }
  }
}

TEST(CutsTest, NoCutEverAllowsPayingAgain) {
  for (const std::string& path : AllPaths()) {
    const std::vector<std::string> lines = LinesOf(path);
    for (std::size_t count = 4; count <= lines.size(); ++count) {  // the fourth line pays
      Book book(RoleOf(path));
      book.Import({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)});
      for (const v1::Settlement& row : book.List(TimeOf(lines.back()) + absl::Hours(24 * 30))) {
        EXPECT_FALSE(row.may_pay_again()) << path << " after line " << count;
        EXPECT_NE(row.buyer_advice(), v1::ADVICE_PAY) << path << " after line " << count;
      }
    }
  }
}

}  // namespace
}  // namespace tally::acceptance

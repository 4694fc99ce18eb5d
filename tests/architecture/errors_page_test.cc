// docs/ERRORS.md is written from the table in ledger/base/error.cc: UPDATE_GOLDENS=1 writes it
// anew.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally {
namespace {

constexpr char kHead[] =
    "# Errors\n"
    "\n"
    "Generated from `ledger/base/error.cc`; don't edit.\n"
    "\n"
    "Every refusal carries one of these reasons. Over gRPC it is the `reason` of a\n"
    "`google.rpc.ErrorInfo` in the status details, with the domain `tallystick` and metadata such "
    "as\n"
    "`field`, `seen` and `wanted`; `tally` prints it to stderr. *Retry* says whether the same "
    "call,\n"
    "unchanged and after a pause, can succeed. A refused write leaves nothing behind.\n"
    "\n"
    "| reason | gRPC code | retry | meaning |\n"
    "|---|---|---|---|\n";

std::string Page() {
  std::string page = kHead;
  for (int i = 0; i <= static_cast<int>(Reason::kInternal); ++i) {
    const ReasonTraits& traits = TraitsOf(static_cast<Reason>(i));
    absl::StrAppend(&page, "| ", traits.name, " | ", absl::StatusCodeToString(traits.code), " | ",
                    traits.is_retry_helpful ? "yes" : "no", " | ", traits.meaning, " |\n");
  }
  return page;
}

TEST(ErrorsPageTest, SaysWhatTheTableSays) {
  const std::string path = absl::StrCat(TALLY_SOURCE_DIR, "/docs/ERRORS.md");
  if (std::getenv("UPDATE_GOLDENS") != nullptr) std::ofstream(path) << Page();
  std::ostringstream on_file;
  on_file << std::ifstream(path).rdbuf();
  EXPECT_EQ(on_file.str(), Page()) << "run with UPDATE_GOLDENS=1";
}

}  // namespace
}  // namespace tally

#include "tests/server/tallyd_process.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace tally::server {
namespace {

constexpr char kProgram[] = TALLY_BINARY_DIR "/bin/tallyd";

std::unique_ptr<cli::ChildProcess> Start(const std::vector<std::string>& arguments,
                                         const std::string& err_file) {
  auto process = cli::ChildProcess::Start(kProgram, arguments, err_file);
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

}  // namespace

std::string NewFolder() {
  std::string name = ::testing::TempDir() + "/tallyd-XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

Ended RunTallyd(const std::vector<std::string>& arguments) {
  const std::string err_file = NewFolder() + "/stderr";
  const auto process = Start(arguments, err_file);
  Ended ended;
  ended.out = process->ReadRest();
  ended.code = process->AwaitEnd();
  std::ostringstream err;
  err << std::ifstream(err_file).rdbuf();
  ended.err = err.str();
  return ended;
}

Tallyd::Tallyd(const std::string& database, const std::string& listen)
    : process_(Start({"--database", database, "--listen", listen, "--log-level", "warning"}, "")) {
  const std::string line = process_->ReadLine();
  constexpr absl::string_view kReady = "tallyd listening on ";
  if (absl::StartsWith(line, kReady)) address_ = line.substr(kReady.size());
}

}  // namespace tally::server

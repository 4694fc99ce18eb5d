#include "tests/support/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tally::support {
namespace {

constexpr char kProgram[] = TALLY_BINARY_DIR "/bin/tally";

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> CleanEnvironment(const std::vector<std::string>& extra) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!absl::StartsWith(*entry, "TALLY_")) environment.emplace_back(*entry);
  }
  environment.insert(environment.end(), extra.begin(), extra.end());
  return environment;
}

}  // namespace

Ended RunTally(const std::vector<std::string>& arguments, const std::string& in,
               const std::vector<std::string>& environment) {
  const std::string folder = NewFolder();
  WriteFile(folder + "/in", in);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto redirect = [&](int descriptor, const char* name, int flags) {
    posix_spawn_file_actions_addopen(&actions, descriptor, (folder + name).c_str(), flags, 0600);
  };
  redirect(STDIN_FILENO, "/in", O_RDONLY);
  redirect(STDOUT_FILENO, "/out", O_WRONLY | O_CREAT);
  redirect(STDERR_FILENO, "/err", O_WRONLY | O_CREAT);
  std::vector<std::string> texts = {"tally"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = CleanEnvironment(environment);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, kProgram, &actions, nullptr, Pointers(texts).data(),
                                 Pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0) << kProgram;
  int status = 0;
  Ended ended;
  if (failed != 0 || waitpid(pid, &status, 0) != pid) return ended;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.out = ReadFile(folder + "/out");
  ended.err = ReadFile(folder + "/err");
  std::filesystem::remove_all(folder);
  return ended;
}

std::string NewFolder() {
  std::string name = ::testing::TempDir() + "/tally-XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string TestData(const std::string& name) {
  return absl::StrCat(TALLY_SOURCE_DIR, "/tests/testdata/", name);
}

std::vector<std::string> Transcripts(const std::string& side) {
  std::vector<std::string> paths;
  const std::string ending = absl::StrCat(".", side, ".jsonl");
  for (const auto& entry : std::filesystem::directory_iterator(TestData("transcripts"))) {
    if (absl::EndsWith(entry.path().string(), ending)) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

json::Value ParseJson(const std::string& text) {
  absl::StatusOr<json::Document> document = json::Parse(text);
  EXPECT_TRUE(document.ok()) << document.status() << "\n" << text;
  return document.ok() ? std::move(document->value) : json::Value();
}

std::string TextAt(const json::Value& value, std::initializer_list<absl::string_view> path) {
  const json::Value* found = value.Find(path);
  return found == nullptr || found->string() == nullptr ? "" : *found->string();
}

}  // namespace tally::support

#include "tests/support/running.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "absl/strings/match.h"

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

}  // namespace

RunningTally::RunningTally(const std::vector<std::string>& arguments)
    : err_file_(NewFolder() + "/err") {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_file_.c_str(), O_WRONLY | O_CREAT,
                                   0600);
  std::vector<std::string> texts = {"tally"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!absl::StartsWith(*entry, "TALLY_")) settings.emplace_back(*entry);
  }
  const int failed = posix_spawn(&pid_, kProgram, &actions, nullptr, Pointers(texts).data(),
                                 Pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0) << kProgram;
  close(ends[1]);
  out_ = ends[0];
}

RunningTally::~RunningTally() {
  if (pid_ <= 0) return;
  Signal(SIGKILL);
  AwaitEnd();
}

std::string RunningTally::ReadLine() {
  std::string line;
  char c = 0;
  while (read(out_, &c, 1) == 1 && c != '\n') line.push_back(c);
  return line;
}

void RunningTally::Signal(int signal) const { kill(pid_, signal); }

Ended RunningTally::AwaitEnd() {
  Ended ended;
  char c = 0;
  while (read(out_, &c, 1) == 1) ended.out.push_back(c);
  close(out_);
  int status = 0;
  EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
  pid_ = -1;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ended.err = ReadFile(err_file_);
  return ended;
}

}  // namespace tally::support

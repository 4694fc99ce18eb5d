#include "tests/server/tallyd_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"

namespace tally::server {
namespace {

constexpr char kProgram[] = TALLY_BINARY_DIR "/bin/tallyd";

struct Child {
  pid_t pid = -1;
  int out = -1;
};

// stdout into a pipe; stderr into the file, or to ours when there is none.
Child Spawn(const std::vector<std::string>& arguments, const std::string& err_file) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (!err_file.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  std::vector<std::string> texts = {"tallyd"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(texts.size() + 1);
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  Child child;
  if (posix_spawn(&child.pid, kProgram, &actions, nullptr, argv.data(), environ) != 0) {
    child.pid = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child.out = ends[0];
  return child;
}

// Up to a line's end, or to the end of the stream when `is_all`.
std::string ReadFrom(int file, bool is_all) {
  std::string text;
  char c = 0;
  while (read(file, &c, 1) == 1) {
    if (c == '\n' && !is_all) break;
    text.push_back(c);
  }
  return text;
}

int AwaitCode(pid_t pid) {
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string NewFolder() {
  std::string name = ::testing::TempDir() + "/tallyd-XXXXXX";
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

Ended RunTallyd(const std::vector<std::string>& arguments) {
  const std::string err_file = NewFolder() + "/stderr";
  const Child child = Spawn(arguments, err_file);
  Ended ended;
  ended.out = ReadFrom(child.out, true);
  close(child.out);
  ended.code = AwaitCode(child.pid);
  std::ostringstream err;
  err << std::ifstream(err_file).rdbuf();
  ended.err = err.str();
  return ended;
}

Tallyd::Tallyd(const std::string& database, const std::string& listen) {
  const Child child =
      Spawn({"--database", database, "--listen", listen, "--log-level", "warning"}, "");
  pid_ = child.pid;
  const std::string line = ReadFrom(child.out, false);
  close(child.out);
  constexpr absl::string_view kReady = "tallyd listening on ";
  if (absl::StartsWith(line, kReady)) address_ = line.substr(kReady.size());
}

Tallyd::~Tallyd() {
  if (pid_ <= 0) return;
  Signal(SIGKILL);
  AwaitEnd();
}

void Tallyd::Signal(int signal) const { kill(pid_, signal); }

int Tallyd::AwaitEnd() {
  const int code = AwaitCode(pid_);
  pid_ = -1;
  return code;
}

}  // namespace tally::server

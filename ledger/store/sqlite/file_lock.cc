#include "ledger/store/sqlite/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::store::sqlite {
namespace {

constexpr mode_t kPrivate = 0600;
constexpr int kAttempts = 5;
constexpr std::chrono::milliseconds kBetweenAttempts{10};

absl::Status SystemError(const std::string& path, int error) {
  return Error(Reason::kDatabaseUnusable, absl::StrCat(path, ": ", std::strerror(error)));
}

std::string LockPath(const std::string& database) { return database + ".lock"; }

// A line `pid address`; empty for a moment while the holder writes it.
absl::Status Held(const std::string& database, int descriptor) {
  std::array<char, 512> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  const absl::string_view line(text.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  const std::vector<std::string> words =
      absl::StrSplit(absl::StripSuffix(line, "\n"), absl::MaxSplits(' ', 1));
  const std::string pid = words.empty() || words[0].empty() ? "unknown" : words[0];
  const std::string address = words.size() < 2 ? "" : words[1];
  return Error(Reason::kDatabaseHeld,
               absl::StrCat(database, " is written by process ", pid,
                            address.empty() ? "" : absl::StrCat(" at ", address)))
      .With("pid", pid)
      .With("address", address);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileLock>> FileLock::Acquire(const std::string& database,
                                                            const std::string& address) {
  const std::string path = LockPath(database);
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kPrivate);
  if (descriptor < 0) return SystemError(path, errno);
  std::unique_ptr<FileLock> lock(new FileLock(descriptor));
  for (int attempt = 1; flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno != EWOULDBLOCK) return SystemError(path, errno);
    if (attempt == kAttempts) return Held(database, descriptor);
    // Whoever probes has the lock for a moment.
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  TALLY_RETURN_IF_ERROR(lock->Announce(address));
  return lock;
}

absl::Status FileLock::Announce(const std::string& address) {
  const std::string line = absl::StrCat(getpid(), " ", address, "\n");
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, line.data(), line.size(), 0) < 0) {
    return SystemError("lock", errno);
  }
  return absl::OkStatus();
}

// The file stays: to remove it would let two processes lock two files of one name.
FileLock::~FileLock() { close(descriptor_); }

absl::Status FileLock::Probe(const std::string& database) {
  const std::string path = LockPath(database);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == ENOENT ? absl::OkStatus() : SystemError(path, errno);
  const FileLock closer(descriptor);
  if (flock(descriptor, LOCK_SH | LOCK_NB) == 0) return absl::OkStatus();
  return errno == EWOULDBLOCK ? Held(database, descriptor) : SystemError(path, errno);
}

}  // namespace tally::store::sqlite

#include "ledger/store/sqlite/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"

namespace tally::store::sqlite {
namespace {

constexpr mode_t kPrivate = 0600;

absl::Status SystemError(absl::string_view doing, const std::string& path, int error) {
  return Error(Reason::kDatabaseUnusable, absl::StrCat(doing, path, ": ", std::strerror(error)));
}

absl::Status Sync(const std::string& path, int flags) {
  const int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  const bool is_synced = descriptor >= 0 && fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) close(descriptor);
  return is_synced ? absl::OkStatus() : SystemError("sync ", path, error);
}

}  // namespace

absl::Status CreatePrivateFile(const std::string& path, bool must_be_new) {
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (must_be_new ? O_EXCL : 0);
  const int descriptor = open(path.c_str(), flags, kPrivate);
  if (descriptor < 0) return SystemError("", path, errno);
  close(descriptor);
  return absl::OkStatus();
}

absl::Status SyncFile(const std::string& path) { return Sync(path, O_RDONLY); }

absl::Status SyncFolderOf(const std::string& path) {
  const std::filesystem::path whole = std::filesystem::absolute(path);
  return Sync(whole.parent_path().string(), O_RDONLY | O_DIRECTORY);
}

}  // namespace tally::store::sqlite

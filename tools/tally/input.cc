#include "tools/tally/input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"

namespace tally::cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

absl::Status Unreadable(absl::string_view option, const std::string& path, int error) {
  return FieldError(option, path,
                    absl::StrCat("a file that can be read (", std::strerror(error), ")"));
}

}  // namespace

void FileCloser::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}

absl::Status CheckFile(absl::string_view option, const std::string& path) {
  if (path == "-") return absl::OkStatus();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return Unreadable(option, path, EISDIR);
  if (::access(path.c_str(), R_OK) != 0) return Unreadable(option, path, errno);
  return absl::OkStatus();
}

absl::StatusOr<File> OpenFile(absl::string_view option, const std::string& path) {
  if (path == "-") return File(stdin);
  TALLY_RETURN_IF_ERROR(CheckFile(option, path));
  File file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) return Unreadable(option, path, errno);
  return file;
}

absl::StatusOr<std::string> ReadAll(absl::string_view option, const std::string& path,
                                    std::size_t bytes_max) {
  TALLY_ASSIGN_OR_RETURN(const File file, OpenFile(option, path));
  std::string text;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + kBlockBytes);
    text.resize(size + std::fread(text.data() + size, 1, kBlockBytes, file.get()));
    if (text.size() > bytes_max) {
      const std::string wanted = absl::StrCat("at most ", bytes_max, " bytes");
      return Error(Reason::kLimitExceeded,
                   absl::StrCat(option, ": saw more in ", path, ", wanted ", wanted))
          .With("field", option)
          .With("seen", "more")
          .With("wanted", wanted);
    }
    if (text.size() == size) break;
  }
  if (std::ferror(file.get()) != 0) return Unreadable(option, path, errno);
  return text;
}

bool LineReader::Fill() {
  block_.resize(kBlockBytes);
  block_.resize(std::fread(block_.data(), 1, kBlockBytes, &file_));
  block_at_ = 0;
  bytes_read_ += block_.size();
  return !block_.empty();
}

bool LineReader::Next(InputLine* line) {
  line_.clear();
  std::uint64_t bytes = 0;
  bool is_ended = false;
  bool is_any_seen = false;
  while (!is_ended && (block_at_ < block_.size() || Fill())) {
    is_any_seen = true;
    const std::size_t newline = block_.find('\n', block_at_);
    is_ended = newline != std::string::npos;
    const std::size_t size = (is_ended ? newline : block_.size()) - block_at_;
    line_.append(block_, block_at_, std::min(size, line_bytes_max_ - line_.size()));
    bytes += size;
    block_at_ += size + (is_ended ? 1 : 0);
  }
  if (!is_any_seen || has_failed()) return false;
  *line = {line_, ++number_, bytes, bytes > line_bytes_max_, is_ended};
  return true;
}

}  // namespace tally::cli

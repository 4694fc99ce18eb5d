// Files and stdin as verbs read them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tally::cli {

struct FileCloser {
  void operator()(std::FILE* file) const;  // stdin stays open
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// Whether it can be opened, without opening it: a pipe opens once. FIELD_MALFORMED.
absl::Status CheckFile(absl::string_view option, const std::string& path);

// `-` is stdin. FIELD_MALFORMED (field `option`) for a folder or what can't be opened.
absl::StatusOr<File> OpenFile(absl::string_view option, const std::string& path);

// All of it, at most `bytes_max`: FIELD_MALFORMED or LIMIT_EXCEEDED.
absl::StatusOr<std::string> ReadAll(absl::string_view option, const std::string& path,
                                    std::size_t bytes_max);

struct InputLine {
  absl::string_view text;    // without its end; valid until the next line is read
  std::uint64_t number = 0;  // from 1
  std::uint64_t bytes = 0;
  bool is_over_limit = false;  // then `text` is only the beginning
  bool is_ended = true;        // false: the file ends without a newline
};

// Line by line in memory of one line; of a line over the limit only so much is kept.
class LineReader {
 public:
  // `file` must outlive this.
  LineReader(std::FILE& file, std::size_t line_bytes_max)
      : file_(file), line_bytes_max_(line_bytes_max) {}
  // False at the end, or when reading failed.
  bool Next(InputLine* line);
  bool has_failed() const { return std::ferror(&file_) != 0; }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  bool Fill();

  std::FILE& file_;
  const std::size_t line_bytes_max_;
  std::string block_;
  std::size_t block_at_ = 0;
  std::string line_;
  std::uint64_t number_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace tally::cli

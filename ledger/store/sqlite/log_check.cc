#include "ledger/store/sqlite/log_check.h"

#include <sqlite3.h>

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/base/error.h"
#include "ledger/base/status_macros.h"
#include "ledger/store/sqlite/file_lock.h"
#include "ledger/store/sqlite/log_format.h"

namespace tally::store::sqlite {
namespace {

// Read-only, through its VFS and without SQLite.
class LogFile {
 public:
  LogFile() = default;
  ~LogFile() {
    if (file_ != nullptr && file_->pMethods != nullptr) file_->pMethods->xClose(file_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // An empty file when there is none.
  absl::Status Open(const std::string& database, const std::string& vfs_name) {
    sqlite3_vfs* vfs = sqlite3_vfs_find(vfs_name.empty() ? nullptr : vfs_name.c_str());
    path_ = absl::StrCat(database, "-wal");
    path_.push_back('\0');  // a VFS looks for parameters behind the name
    int is_there = 0;
    if (vfs == nullptr ||
        vfs->xAccess(vfs, path_.c_str(), SQLITE_ACCESS_EXISTS, &is_there) != SQLITE_OK) {
      return Unreadable();
    }
    if (is_there == 0) return absl::OkStatus();
    memory_.resize(static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1);
    file_ = reinterpret_cast<sqlite3_file*>(memory_.data());
    file_->pMethods = nullptr;
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL;
    if (vfs->xOpen(vfs, path_.c_str(), file_, flags, &flags) != SQLITE_OK ||
        file_->pMethods->xFileSize(file_, &size_) != SQLITE_OK) {
      return Unreadable();
    }
    return absl::OkStatus();
  }

  std::size_t size() const { return static_cast<std::size_t>(size_); }

  absl::Status Read(std::size_t at, std::string& out) {
    const int code = file_->pMethods->xRead(file_, out.data(), static_cast<int>(out.size()),
                                            static_cast<sqlite3_int64>(at));
    return code == SQLITE_OK ? absl::OkStatus() : Unreadable();
  }

 private:
  absl::Status Unreadable() const {
    return Error(Reason::kDatabaseUnusable, absl::StrCat(path_.c_str(), ": can't be read"));
  }

  std::string path_;
  std::vector<std::max_align_t> memory_;
  sqlite3_file* file_ = nullptr;
  sqlite3_int64 size_ = 0;
};

// Follows the frames of a log, one after the other.
class Follower {
 public:
  explicit Follower(const LogHeader& header) : header_(header), before_(header.sum) {}

  void Take(const FrameHeader& frame, absl::string_view header, absl::string_view page) {
    const bool is_whole = frame.sum == FrameChecksum(before_, header, page, header_.order);
    // Without a header that can be believed, any turn may be the present one.
    const bool is_of_turn = !header_.is_whole || frame.salt == header_.salt;
    is_broken_ = is_broken_ || !is_whole || !is_of_turn;
    // Where the disk does not keep neighbours of a write safe, SQLite repeats the last frame.
    const bool is_repeated = frame.page_number == last_.page_number &&
                             frame.pages_after_commit == last_.pages_after_commit;
    if (is_broken_ && is_whole && is_of_turn && frame.pages_after_commit != 0 && !is_repeated) {
      ++commits_beyond_;
    }
    before_ = frame.sum;
    last_ = frame;
  }

  // The last commit of a crash may lie beyond: its frames reach the disk in any order. But the
  // header is synced before its first frame is written.
  bool HasLostCommits() const { return commits_beyond_ > (header_.is_whole ? 1 : 0); }

 private:
  const LogHeader header_;
  LogChecksum before_;
  FrameHeader last_;
  bool is_broken_ = !header_.is_whole;
  std::size_t commits_beyond_ = 0;
};

constexpr std::uint32_t kUsualPageBytes = 4096;

}  // namespace

absl::Status CheckLog(const std::string& database, const std::string& vfs) {
  LogFile file;
  TALLY_RETURN_IF_ERROR(file.Open(database, vfs));
  if (file.size() < kLogHeaderBytes) return absl::OkStatus();
  std::string bytes(kLogHeaderBytes, '\0');
  TALLY_RETURN_IF_ERROR(file.Read(0, bytes));
  LogHeader header = ReadLogHeader(bytes);
  if (!header.is_whole) {
    header.order = WordOrder::kLittleEndian;
    header.page_bytes = kUsualPageBytes;
  }
  const std::size_t frame_bytes = kFrameHeaderBytes + header.page_bytes;
  std::string frame(frame_bytes, '\0');
  Follower follower(header);
  for (std::size_t at = kLogHeaderBytes; at + frame_bytes <= file.size(); at += frame_bytes) {
    TALLY_RETURN_IF_ERROR(file.Read(at, frame));
    const absl::string_view all = frame;
    follower.Take(ReadFrameHeader(all), all.substr(0, kFrameHeaderBytes),
                  all.substr(kFrameHeaderBytes));
  }
  if (!follower.HasLostCommits()) return absl::OkStatus();
  return Error(
      Reason::kDataLoss,
      absl::StrCat(database, "-wal: a frame is broken, and commits beyond it would be lost"));
}

absl::Status CheckIdleLog(const std::string& database, const std::string& vfs) {
  if (!FileLock::Probe(database).ok()) return absl::OkStatus();
  const absl::Status status = CheckLog(database, vfs);
  // A process may have begun to write meanwhile.
  return FileLock::Probe(database).ok() ? status : absl::OkStatus();
}

}  // namespace tally::store::sqlite

#include "tests/support/faulty_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ledger/base/mutex.h"
#include "ledger/store/sqlite/checked_vfs.h"

namespace tally::support {
namespace {

struct Handle;

struct File {
  std::string path;
  std::int64_t number = 0;
  std::string bytes;
  std::map<const Handle*, int> locks;  // SQLITE_LOCK_…; who has none is not there
  // The log's index: not on the disk, and gone with the last who uses it.
  std::vector<std::unique_ptr<char[]>> shared;
  std::map<const Handle*, std::array<char, SQLITE_SHM_NLOCK>>
      shared_locks;  // 0, 1, or 2: exclusive
};

struct Handle {
  sqlite3_file as_sqlite{};  // first: SQLite knows it by this address
  FaultyDisk::State* disk = nullptr;
  std::shared_ptr<File> file;
};

struct Plan {
  DiskCall call;
  std::size_t at;  // of all calls so far
  DiskFault fault;
  bool is_lasting;
};

constexpr std::size_t kCalls = 7;

}  // namespace

class FaultyDisk::State {
 public:
  State();
  ~State() { sqlite3_vfs_unregister(&vfs_); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::string name_;
  sqlite3_vfs vfs_{};
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<File>> files_;
  std::int64_t files_made_ = 0;
  DiskHistory history_;
  std::array<std::size_t, kCalls> calls_{};
  std::optional<Plan> plan_;
  bool has_failed_ = false;
  std::size_t capacity_ = static_cast<std::size_t>(-1);
  int last_error_ = 0;

  // What this call is to fail with.
  std::optional<DiskFault> Count(DiskCall call) {
    const std::size_t number = calls_[static_cast<std::size_t>(call)]++;
    if (!plan_.has_value() || plan_->call != call) return std::nullopt;
    if (plan_->is_lasting ? number < plan_->at : number != plan_->at) return std::nullopt;
    return Fail(plan_->fault);
  }
  std::optional<DiskFault> Fail(DiskFault fault) {
    has_failed_ = true;
    last_error_ = fault == DiskFault::kNoSpace ? ENOSPC : EIO;
    return fault;
  }
  std::size_t Used() const {
    std::size_t used = 0;
    for (const auto& [path, file] : files_) used += file->bytes.size();
    return used;
  }
  std::shared_ptr<File> Make(const std::string& path) {
    auto file = std::make_shared<File>();
    file->path = path;
    file->number = ++files_made_;
    files_[path] = file;
    history_.push_back({DiskCall::kOpen, path, file->number, 0, "", false});
    return file;
  }
  // A temporary file outlives nobody.
  void Note(const File& file, DiskOperation operation) {
    if (file.number != 0) history_.push_back(std::move(operation));
  }
  void Put(File& file, std::uint64_t at, absl::string_view bytes) {
    file.bytes.resize(std::max<std::size_t>(file.bytes.size(), at + bytes.size()));
    file.bytes.replace(at, bytes.size(), bytes.data(), bytes.size());
    Note(file, {DiskCall::kWrite, file.path, file.number, at, std::string(bytes), false});
  }
  void Cut(File& file, std::uint64_t size) {
    file.bytes.resize(size);
    Note(file, {DiskCall::kTruncate, file.path, file.number, size, "", false});
  }
  void Delete(const std::string& path, bool is_durable) {
    const auto found = files_.find(path);
    if (found == files_.end()) return;
    history_.push_back({DiskCall::kDelete, path, found->second->number, 0, "", is_durable});
    files_.erase(found);
  }
};

namespace {

using State = FaultyDisk::State;

Handle& Of(sqlite3_file* file) { return *reinterpret_cast<Handle*>(file); }
State& Of(sqlite3_vfs* vfs) { return *static_cast<State*>(vfs->pAppData); }

int Close(sqlite3_file* sqlite) {
  {
    const MutexLock lock(Of(sqlite).disk->mutex_);
    Of(sqlite).file->locks.erase(&Of(sqlite));
  }
  std::destroy_at(&Of(sqlite));
  return SQLITE_OK;
}

int Read(sqlite3_file* sqlite, void* out, int size, sqlite3_int64 at) {
  const MutexLock lock(Of(sqlite).disk->mutex_);
  if (Of(sqlite).disk->Count(DiskCall::kRead).has_value()) return SQLITE_IOERR_READ;
  const std::string& bytes = Of(sqlite).file->bytes;
  const auto wanted = static_cast<std::size_t>(size);
  const std::size_t begin = std::min(static_cast<std::size_t>(at), bytes.size());
  const std::size_t there = std::min(wanted, bytes.size() - begin);
  std::memcpy(out, bytes.data() + begin, there);
  std::memset(static_cast<char*>(out) + there, 0, wanted - there);
  return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int Write(sqlite3_file* sqlite, const void* in, int size, sqlite3_int64 at) {
  State& disk = *Of(sqlite).disk;
  const MutexLock lock(disk.mutex_);
  File& file = *Of(sqlite).file;
  const absl::string_view bytes(static_cast<const char*>(in), static_cast<std::size_t>(size));
  const auto begin = static_cast<std::uint64_t>(at);
  std::optional<DiskFault> fault = disk.Count(DiskCall::kWrite);
  const std::size_t end = begin + bytes.size();
  const std::size_t growth = end > file.bytes.size() ? end - file.bytes.size() : 0;
  if (!fault.has_value() && growth > 0 && disk.Used() + growth > disk.capacity_) {
    fault = disk.Fail(DiskFault::kNoSpace);
  }
  if (!fault.has_value()) {
    disk.Put(file, begin, bytes);
    return SQLITE_OK;
  }
  const std::size_t room =
      growth > 0 && disk.Used() < disk.capacity_ ? disk.capacity_ - disk.Used() : 0;
  const std::size_t half = std::min(bytes.size() / 2, bytes.size() - growth + room);
  disk.Put(file, begin, bytes.substr(0, half));
  return fault == DiskFault::kNoSpace ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int Truncate(sqlite3_file* sqlite, sqlite3_int64 size) {
  State& disk = *Of(sqlite).disk;
  const MutexLock lock(disk.mutex_);
  if (disk.Count(DiskCall::kTruncate).has_value()) return SQLITE_IOERR_TRUNCATE;
  disk.Cut(*Of(sqlite).file, static_cast<std::uint64_t>(size));
  return SQLITE_OK;
}

int Sync(sqlite3_file* sqlite, int) {
  State& disk = *Of(sqlite).disk;
  const MutexLock lock(disk.mutex_);
  const File& file = *Of(sqlite).file;
  if (disk.Count(DiskCall::kSync).has_value()) return SQLITE_IOERR_FSYNC;
  disk.Note(file, {DiskCall::kSync, file.path, file.number, 0, "", false});
  return SQLITE_OK;
}

int Control(sqlite3_file* sqlite, int op, void*) {
  if (op != store::sqlite::kSyncFolderControl) return SQLITE_NOTFOUND;
  State& disk = *Of(sqlite).disk;
  const MutexLock lock(disk.mutex_);
  if (disk.Count(DiskCall::kSync).has_value()) return SQLITE_IOERR_DIR_FSYNC;
  disk.history_.push_back({DiskCall::kSync, "", 0, 0, "", false});
  return SQLITE_OK;
}

int FileSize(sqlite3_file* sqlite, sqlite3_int64* size) {
  const MutexLock lock(Of(sqlite).disk->mutex_);
  *size = static_cast<sqlite3_int64>(Of(sqlite).file->bytes.size());
  return SQLITE_OK;
}

// The highest lock that others have.
int OthersLock(const Handle& handle) {
  int highest = SQLITE_LOCK_NONE;
  for (const auto& [other, level] : handle.file->locks) {
    if (other != &handle) highest = std::max(highest, level);
  }
  return highest;
}

int Lock(sqlite3_file* sqlite, int wanted) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  int& level = handle.file->locks[&handle];
  if (level >= wanted) return SQLITE_OK;
  const int others = OthersLock(handle);
  if (wanted == SQLITE_LOCK_SHARED && others >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
  if (wanted == SQLITE_LOCK_RESERVED && others >= SQLITE_LOCK_RESERVED) return SQLITE_BUSY;
  if (wanted == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
    if (others < SQLITE_LOCK_PENDING) level = SQLITE_LOCK_PENDING;
    return SQLITE_BUSY;
  }
  level = wanted;
  return SQLITE_OK;
}

int Unlock(sqlite3_file* sqlite, int wanted) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  handle.file->locks[&handle] = wanted;
  return SQLITE_OK;
}

int CheckReservedLock(sqlite3_file* sqlite, int* is_reserved) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  *is_reserved = OthersLock(handle) >= SQLITE_LOCK_RESERVED ? 1 : 0;
  return SQLITE_OK;
}

int MapShared(sqlite3_file* sqlite, int region, int size, int is_extending, void volatile** out) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  *out = nullptr;
  const std::optional<DiskFault> fault = handle.disk->Count(DiskCall::kMapShared);
  if (fault.has_value()) {
    return fault == DiskFault::kNoSpace ? SQLITE_IOERR_SHMSIZE : SQLITE_IOERR_SHMMAP;
  }
  handle.file->shared_locks.try_emplace(&handle);
  auto& shared = handle.file->shared;
  const auto wanted = static_cast<std::size_t>(region) + 1;
  if (shared.size() < wanted && is_extending == 0) return SQLITE_OK;
  while (shared.size() < wanted) {
    shared.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));
  }
  *out = shared[wanted - 1].get();
  return SQLITE_OK;
}

int LockShared(sqlite3_file* sqlite, int first, int count, int flags) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  auto& all = handle.file->shared_locks;
  const char wanted = (flags & SQLITE_SHM_UNLOCK) != 0   ? char{0}
                      : (flags & SQLITE_SHM_SHARED) != 0 ? char{1}
                                                         : char{2};
  const auto begin = static_cast<std::size_t>(first);
  const auto end = begin + static_cast<std::size_t>(count);
  for (const auto& [other, locks] : all) {
    if (other == &handle || wanted == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (locks[i] == 2 || (locks[i] == 1 && wanted == 2)) return SQLITE_BUSY;
    }
  }
  for (std::size_t i = begin; i < end; ++i) all[&handle][i] = wanted;
  return SQLITE_OK;
}

int UnmapShared(sqlite3_file* sqlite, int) {
  Handle& handle = Of(sqlite);
  const MutexLock lock(handle.disk->mutex_);
  handle.file->shared_locks.erase(&handle);
  if (handle.file->shared_locks.empty()) handle.file->shared.clear();
  return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods = {
    2,
    Close,
    Read,
    Write,
    Truncate,
    Sync,
    FileSize,
    Lock,
    Unlock,
    CheckReservedLock,
    Control,
    [](sqlite3_file*) { return 512; },
    // As SQLite takes it of any disk below Unix.
    [](sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; },
    MapShared,
    LockShared,
    [](sqlite3_file* f) { const MutexLock barrier(Of(f).disk->mutex_); },
    UnmapShared,
    nullptr,
    nullptr,
};

int Open(sqlite3_vfs* vfs, const char* path, sqlite3_file* sqlite, int flags, int* flags_out) {
  State& disk = Of(vfs);
  sqlite->pMethods = nullptr;
  const MutexLock lock(disk.mutex_);
  if (disk.Count(DiskCall::kOpen).has_value()) return SQLITE_CANTOPEN;
  std::shared_ptr<File> file;
  if (path == nullptr) {
    file = std::make_shared<File>();  // temporary, of no name
  } else if (const auto found = disk.files_.find(path); found != disk.files_.end()) {
    file = found->second;
  } else if ((flags & (SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB)) != 0) {
    // A database's own file was made beside SQLite, and is empty.
    file = disk.Make(path);
  } else {
    return SQLITE_CANTOPEN;
  }
  auto* handle = new (sqlite) Handle;
  handle->as_sqlite.pMethods = &kMethods;
  handle->disk = &disk;
  handle->file = std::move(file);
  if (flags_out != nullptr) *flags_out = flags;
  return SQLITE_OK;
}

int Delete(sqlite3_vfs* vfs, const char* path, int is_durable) {
  State& disk = Of(vfs);
  const MutexLock lock(disk.mutex_);
  if (disk.Count(DiskCall::kDelete).has_value()) return SQLITE_IOERR_DELETE;
  if (disk.files_.count(path) == 0) return SQLITE_IOERR_DELETE_NOENT;
  disk.Delete(path, is_durable != 0);
  return SQLITE_OK;
}

int Access(sqlite3_vfs* vfs, const char* path, int, int* is_there) {
  State& disk = Of(vfs);
  const MutexLock lock(disk.mutex_);
  const auto found = disk.files_.find(path);
  *is_there = found != disk.files_.end() && !found->second->bytes.empty() ? 1 : 0;
  return SQLITE_OK;
}

int FullPathname(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

std::string NewName() {
  static std::atomic<int> made = 0;
  return absl::StrCat("faulty-", ++made);
}

}  // namespace

FaultyDisk::State::State() : name_(NewName()) {
  vfs_ = *sqlite3_vfs_find(nullptr);  // its clock and its random numbers
  vfs_.pNext = nullptr;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.szOsFile = sizeof(Handle);
  vfs_.xOpen = Open;
  vfs_.xDelete = support::Delete;
  vfs_.xAccess = Access;
  vfs_.xFullPathname = FullPathname;
  vfs_.xGetLastError = [](sqlite3_vfs* vfs, int, char*) { return Of(vfs).last_error_; };
  sqlite3_vfs_register(&vfs_, 0);
}

FaultyDisk::FaultyDisk() : state_(std::make_unique<State>()) {}

FaultyDisk::FaultyDisk(const DiskImage& image) : FaultyDisk() {
  for (const auto& [path, bytes] : image) {
    const std::shared_ptr<File> file = state_->Make(path);
    state_->Put(*file, 0, bytes);
    state_->history_.push_back({DiskCall::kSync, path, file->number, 0, "", false});
  }
}

FaultyDisk::FaultyDisk(const DiskHistory& history) : FaultyDisk() {
  for (const DiskOperation& operation : history) {
    if (operation.call == DiskCall::kOpen) {
      state_->Make(operation.path);
      continue;
    }
    if (operation.call == DiskCall::kSync) {
      state_->history_.push_back(operation);
      continue;
    }
    const auto found = state_->files_.find(operation.path);
    // What is written to a deleted file is seen by nobody who comes later.
    if (found == state_->files_.end() || found->second->number != operation.file) continue;
    if (operation.call == DiskCall::kWrite) {
      state_->Put(*found->second, operation.at, operation.bytes);
    } else if (operation.call == DiskCall::kTruncate) {
      state_->Cut(*found->second, operation.at);
    } else if (operation.call == DiskCall::kDelete) {
      state_->Delete(operation.path, operation.is_durable);
    }
  }
}

FaultyDisk::~FaultyDisk() = default;

const std::string& FaultyDisk::vfs() const { return state_->name_; }

DiskHistory FaultyDisk::history() const {
  const MutexLock lock(state_->mutex_);
  return state_->history_;
}

std::size_t FaultyDisk::history_size() const {
  const MutexLock lock(state_->mutex_);
  return state_->history_.size();
}

DiskImage FaultyDisk::image() const {
  const MutexLock lock(state_->mutex_);
  DiskImage image;
  for (const auto& [path, file] : state_->files_) image[path] = file->bytes;
  return image;
}

void FaultyDisk::Flip(const std::string& path, std::size_t at) const {
  const MutexLock lock(state_->mutex_);
  char& byte = state_->files_.at(path)->bytes.at(at);
  byte = static_cast<char>(byte ^ 1);
}

void FaultyDisk::FailAt(DiskCall call, std::size_t n, DiskFault fault, bool is_lasting) {
  const MutexLock lock(state_->mutex_);
  const std::size_t so_far = state_->calls_[static_cast<std::size_t>(call)];
  state_->plan_ = Plan{call, so_far + n, fault, is_lasting};
}

void FaultyDisk::Mend() {
  const MutexLock lock(state_->mutex_);
  state_->plan_.reset();
}

std::size_t FaultyDisk::calls(DiskCall call) const {
  const MutexLock lock(state_->mutex_);
  return state_->calls_[static_cast<std::size_t>(call)];
}

bool FaultyDisk::HasFailed() const {
  const MutexLock lock(state_->mutex_);
  return state_->has_failed_;
}

void FaultyDisk::SetCapacity(std::size_t bytes) {
  const MutexLock lock(state_->mutex_);
  state_->capacity_ = bytes;
}

std::size_t FaultyDisk::used() const {
  const MutexLock lock(state_->mutex_);
  return state_->Used();
}

}  // namespace tally::support

#include "ledger/store/sqlite/checked_vfs.h"

#include <sqlite3.h>

#include <array>
#include <bit>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ledger/store/sqlite/files.h"
#include "ledger/store/sqlite/log_format.h"
#include "ledger/store/sqlite/schema.h"

namespace tally::store::sqlite {
namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kReservedAt = 20;       // of the database header
constexpr std::size_t kApplicationIdAt = 68;  // the same; big-endian

// SQLite reads and writes pages whole; what is shorter is part of a header.
bool IsPageSize(int size) {
  return size >= 512 && std::has_single_bit(static_cast<unsigned>(size));
}

LogChecksum PageChecksum(std::size_t number, absl::string_view page) {
  // The number is part of it: a page in the place of another does not fit either.
  const LogChecksum seed{static_cast<std::uint32_t>(number), 0};
  return Extend(seed, page.substr(0, page.size() - kPageReservedBytes), WordOrder::kLittleEndian);
}

bool IsHeaderOfOurs(absl::string_view header) {
  std::uint32_t application_id = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    application_id =
        application_id << 8U | static_cast<unsigned char>(header[kApplicationIdAt + i]);
  }
  return header[kReservedAt] == kPageReservedBytes || application_id == kApplicationId;
}

// An open database or log. SQLite allots the bytes, and those of the file below right after it.
struct CheckedFile {
  sqlite3_file as_sqlite;  // first: SQLite knows it by this address
  bool is_log = false;
  bool is_ours = false;                // of a database
  bool is_rewriting = false;           // of a log: see Write()
  sqlite3_int64 next_page_at = -1;     // of a log: where the frame header written last ends
  std::optional<WordOrder> log_order;  // of a log, once it is known
  std::string path;
  std::vector<char> page;  // to put a checksum into

  sqlite3_file* base() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

CheckedFile& Of(sqlite3_file* file) { return *reinterpret_cast<CheckedFile*>(file); }
sqlite3_file* Base(sqlite3_file* file) { return Of(file).base(); }

int ReadBase(CheckedFile& file, char* out, std::size_t size, sqlite3_int64 at) {
  return file.base()->pMethods->xRead(file.base(), out, static_cast<int>(size), at);
}

// Whether a page of the log fits its frame, and that the one before.
int CheckFrame(CheckedFile& file, absl::string_view page, sqlite3_int64 at) {
  std::array<char, kLogHeaderBytes> log{};
  if (!file.log_order.has_value()) {
    const int code = ReadBase(file, log.data(), log.size(), 0);
    if (code != SQLITE_OK) return code;
    file.log_order = ReadLogHeader({log.data(), log.size()}).order;
  }
  std::array<char, kFrameHeaderBytes> header{};
  const sqlite3_int64 header_at = at - static_cast<sqlite3_int64>(kFrameHeaderBytes);
  int code = ReadBase(file, header.data(), header.size(), header_at);
  if (code != SQLITE_OK) return code;
  // Of the log's own header before the first frame, else of the frame before.
  const sqlite3_int64 before_at =
      header_at == kLogHeaderBytes
          ? static_cast<sqlite3_int64>(kLogChecksumAt)
          : at - static_cast<sqlite3_int64>(2 * kFrameHeaderBytes + page.size() - kFrameChecksumAt);
  std::array<char, kChecksumBytes> before{};
  code = ReadBase(file, before.data(), before.size(), before_at);
  if (code != SQLITE_OK) return code;
  const absl::string_view bytes(header.data(), header.size());
  const LogChecksum wanted =
      FrameChecksum(ReadChecksum({before.data(), before.size()}), bytes, page, *file.log_order);
  return ReadFrameHeader(bytes).sum == wanted ? SQLITE_OK : SQLITE_IOERR_DATA;
}

bool IsFramePage(int size, sqlite3_int64 at) {
  const sqlite3_int64 first = kLogHeaderBytes + kFrameHeaderBytes;
  return IsPageSize(size) && at >= first &&
         (at - first) % (size + static_cast<sqlite3_int64>(kFrameHeaderBytes)) == 0;
}

int Read(sqlite3_file* sqlite, void* out, int size, sqlite3_int64 at) {
  CheckedFile& file = Of(sqlite);
  const int code = Base(sqlite)->pMethods->xRead(Base(sqlite), out, size, at);
  const absl::string_view bytes(static_cast<const char*>(out), static_cast<std::size_t>(size));
  if (file.is_log) {
    const bool is_checked = code == SQLITE_OK && !file.is_rewriting && IsFramePage(size, at);
    return is_checked ? CheckFrame(file, bytes, at) : code;
  }
  if (!file.is_ours || !IsPageSize(size)) return code;
  // SQLite would take what is missing for zeros.
  if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_IOERR_DATA;
  if (code != SQLITE_OK) return code;
  return IsPageWhole(static_cast<std::size_t>(at / size) + 1, bytes) ? SQLITE_OK
                                                                     : SQLITE_IOERR_DATA;
}

int Write(sqlite3_file* sqlite, const void* bytes, int size, sqlite3_int64 at) {
  CheckedFile& file = Of(sqlite);
  sqlite3_file* base = file.base();
  if (file.is_log) {
    // A page that a large transaction changes again is written over without its header; SQLite
    // mends the checksums just before the commit is synced. Until then it alone reads the page.
    if (IsFramePage(size, at) && at != file.next_page_at) file.is_rewriting = true;
    file.next_page_at = size == kFrameHeaderBytes ? at + size : -1;
  } else if (file.is_ours && IsPageSize(size)) {
    const char* page = static_cast<const char*>(bytes);
    file.page.assign(page, page + size);
    WriteChecksum(PageChecksum(static_cast<std::size_t>(at / size) + 1, {page, file.page.size()}),
                  file.page.data() + size - kPageReservedBytes);
    bytes = file.page.data();
  }
  return base->pMethods->xWrite(base, bytes, size, at);
}

int Truncate(sqlite3_file* sqlite, sqlite3_int64 size) {
  // What is rolled back to nothing is ours to begin.
  if (size == 0 && !Of(sqlite).is_log) Of(sqlite).is_ours = true;
  return Base(sqlite)->pMethods->xTruncate(Base(sqlite), size);
}

int Sync(sqlite3_file* sqlite, int flags) {
  Of(sqlite).is_rewriting = false;
  return Base(sqlite)->pMethods->xSync(Base(sqlite), flags);
}

int Control(sqlite3_file* sqlite, int op, void* argument) {
  const int code = Base(sqlite)->pMethods->xFileControl(Base(sqlite), op, argument);
  if (op != kSyncFolderControl || code != SQLITE_NOTFOUND) return code;
  return SyncFolderOf(Of(sqlite).path).ok() ? SQLITE_OK : SQLITE_IOERR_DIR_FSYNC;
}

int Close(sqlite3_file* sqlite) {
  const int code = Base(sqlite)->pMethods->xClose(Base(sqlite));
  std::destroy_at(&Of(sqlite));
  return code;
}

// Without xFetch: a page that is mapped would pass by Read().
constexpr sqlite3_io_methods kMethods = {
    2,
    Close,
    Read,
    Write,
    Truncate,
    Sync,
    [](sqlite3_file* f, sqlite3_int64* size) {
      return Base(f)->pMethods->xFileSize(Base(f), size);
    },
    [](sqlite3_file* f, int level) { return Base(f)->pMethods->xLock(Base(f), level); },
    [](sqlite3_file* f, int level) { return Base(f)->pMethods->xUnlock(Base(f), level); },
    [](sqlite3_file* f, int* is) { return Base(f)->pMethods->xCheckReservedLock(Base(f), is); },
    Control,
    [](sqlite3_file* f) { return Base(f)->pMethods->xSectorSize(Base(f)); },
    [](sqlite3_file* f) { return Base(f)->pMethods->xDeviceCharacteristics(Base(f)); },
    [](sqlite3_file* f, int region, int size, int extend, void volatile** out) {
      return Base(f)->pMethods->xShmMap(Base(f), region, size, extend, out);
    },
    [](sqlite3_file* f, int offset, int n, int flags) {
      return Base(f)->pMethods->xShmLock(Base(f), offset, n, flags);
    },
    [](sqlite3_file* f) { Base(f)->pMethods->xShmBarrier(Base(f)); },
    [](sqlite3_file* f, int is_delete) { return Base(f)->pMethods->xShmUnmap(Base(f), is_delete); },
    nullptr,
    nullptr,
};

// What it does not replace works with the copy: a VFS keeps its state behind pAppData.
struct Layer {
  sqlite3_vfs as_sqlite;  // first: SQLite knows it by this address
  sqlite3_vfs* base = nullptr;
  std::string name;
};

int FindWhose(CheckedFile& file) {
  std::array<char, kHeaderBytes> header{};
  const int code = ReadBase(file, header.data(), header.size(), 0);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
  sqlite3_int64 size = 0;
  const int sized = file.base()->pMethods->xFileSize(file.base(), &size);
  file.is_ours = size == 0 || IsHeaderOfOurs({header.data(), header.size()});
  return sized;
}

int Open(sqlite3_vfs* vfs, const char* path, sqlite3_file* sqlite, int flags, int* flags_out) {
  sqlite3_vfs* base = reinterpret_cast<Layer*>(vfs)->base;
  const bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
  if (!is_log && (flags & SQLITE_OPEN_MAIN_DB) == 0) {
    return base->xOpen(base, path, sqlite, flags, flags_out);
  }
  CheckedFile* file = new (sqlite) CheckedFile();
  file->is_log = is_log;
  file->path = path;
  file->base()->pMethods = nullptr;
  int code = base->xOpen(base, path, file->base(), flags, flags_out);
  if (code == SQLITE_OK && !is_log) code = FindWhose(*file);
  // SQLite closes what failed to open, once it has methods.
  if (file->base()->pMethods != nullptr) file->as_sqlite.pMethods = &kMethods;
  if (file->base()->pMethods == nullptr) std::destroy_at(file);
  return code;
}

}  // namespace

bool IsPageWhole(std::size_t number, absl::string_view page) {
  return PageChecksum(number, page) == ReadChecksum(page.substr(page.size() - kPageReservedBytes));
}

std::string CheckedVfs(const std::string& base) {
  std::string name = absl::StrCat("tallystick", base.empty() ? "" : "-", base);
  sqlite3_vfs* below = sqlite3_vfs_find(base.empty() ? nullptr : base.c_str());
  // Who opens a name that is not registered is told so.
  if (below == nullptr || sqlite3_vfs_find(name.c_str()) != nullptr) return name;
  auto* layer = new Layer{*below, below, name};
  layer->as_sqlite.pNext = nullptr;
  layer->as_sqlite.zName = layer->name.c_str();
  layer->as_sqlite.szOsFile += static_cast<int>(sizeof(CheckedFile));
  layer->as_sqlite.xOpen = Open;
  // Two threads that come first at once register two alike, which does no harm.
  sqlite3_vfs_register(&layer->as_sqlite, 0);
  return name;
}

}  // namespace tally::store::sqlite

// Nothing is read from a database unverified: a layer between SQLite and another VFS. Each page of
// the database file carries its checksum in its last 8 bytes, which SQLite leaves alone; pages read
// from the write-ahead log are held against the checksums that SQLite keeps there. What does not
// fit is SQLITE_IOERR_DATA and never content, so a flipped bit can neither show a row nor hide one.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace tally::store::sqlite {

// What new databases leave free at the end of each page.
inline constexpr int kPageReservedBytes = 8;

// The name of the layer over the VFS called `base`; over the system's own when that is empty.
// Registered with SQLite at the first call, for the life of the process. Thread-safe.
//
// A file is ours, and its pages have checksums, when it is empty, or when its header says that 8
// bytes are reserved or names our application id: one flipped bit can't undo both. Pages of other
// files pass as they are.
std::string CheckedVfs(const std::string& base);

// A file control of the layer's own: waits until the names in the database's folder are on the
// disk, those of new files and of files that went. A VFS below that knows it does it itself.
inline constexpr int kSyncFolderControl = 7402;

// Whether a page of a database file (numbered from 1) ends in its own checksum.
bool IsPageWhole(std::size_t number, absl::string_view page);

}  // namespace tally::store::sqlite

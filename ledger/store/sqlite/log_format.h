// The bytes of SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html, section 4), and
// its checksum, which the pages of the database carry too (checked_vfs.h). Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace tally::store::sqlite {

inline constexpr std::size_t kLogHeaderBytes = 32;
inline constexpr std::size_t kFrameHeaderBytes = 24;
inline constexpr std::size_t kChecksumBytes = 8;
// Where a header keeps the checksum that the next frame's goes on from.
inline constexpr std::size_t kLogChecksumAt = 24;
inline constexpr std::size_t kFrameChecksumAt = 16;

// Two sums, each fed by the other. A change within 4 bytes in line always changes them.
struct LogChecksum {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  friend bool operator==(const LogChecksum&, const LogChecksum&) = default;
};

enum class WordOrder { kLittleEndian, kBigEndian };

// Goes on from `sum` over bytes that are a multiple of 8.
LogChecksum Extend(LogChecksum sum, absl::string_view bytes, WordOrder order);
// As headers hold it, in 8 bytes; they are big-endian whatever the words are.
LogChecksum ReadChecksum(absl::string_view bytes);
void WriteChecksum(LogChecksum sum, char* out);

struct LogHeader {
  WordOrder order = WordOrder::kLittleEndian;
  std::uint32_t page_bytes = 0;
  std::uint64_t salt = 0;  // every frame of the same turn has it
  LogChecksum sum;
  bool is_whole = false;  // its own checksum fits
};
LogHeader ReadLogHeader(absl::string_view bytes);

struct FrameHeader {
  std::uint32_t page_number = 0;
  std::uint32_t pages_after_commit = 0;  // 0: not the last frame of a commit
  std::uint64_t salt = 0;
  LogChecksum sum;
};
FrameHeader ReadFrameHeader(absl::string_view bytes);

// What the checksum of a frame must be, after the one before it.
LogChecksum FrameChecksum(LogChecksum before, absl::string_view header, absl::string_view page,
                          WordOrder order);

}  // namespace tally::store::sqlite

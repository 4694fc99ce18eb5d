// A disk in memory for SQLite, registered as a VFS of its own. It keeps a history of what changed
// it, from which power_loss.h makes what a power cut leaves; and it can fail, fill up, or hold its
// files against a flipped byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tally::support {

enum class DiskCall { kOpen, kRead, kWrite, kTruncate, kSync, kDelete, kMapShared };

// One change, or one sync.
struct DiskOperation {
  DiskCall call = DiskCall::kWrite;  // kOpen: the file was made
  std::string path;                  // empty: a sync of the folder, of names that came and went
  std::int64_t file = 0;             // a path can name one file after another
  std::uint64_t at = 0;              // of a write; of a truncation the new size
  std::string bytes;                 // of a write
  bool is_durable = false;           // of a deletion: the folder was synced with it
};
using DiskHistory = std::vector<DiskOperation>;
using DiskImage = std::map<std::string, std::string>;  // path → bytes

enum class DiskFault { kInputOutput, kNoSpace };

// Thread-safe. All connections must be closed before it goes.
class FaultyDisk {
 public:
  FaultyDisk();
  // With these files, all of them on the disk for good.
  explicit FaultyDisk(const DiskImage& image);
  // As a process finds it that starts after another was killed: nothing is lost, but what was not
  // synced is still not.
  explicit FaultyDisk(const DiskHistory& history);
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  // What to open it by.
  const std::string& vfs() const;

  DiskHistory history() const;
  std::size_t history_size() const;
  DiskImage image() const;
  // One bit of a byte turns.
  void Flip(const std::string& path, std::size_t at) const;

  // The n-th call of this kind from now on fails, counted from 0; with `is_lasting` all after it
  // too, until Mend(). Half of a write that fails is written.
  void FailAt(DiskCall call, std::size_t n, DiskFault fault, bool is_lasting);
  void Mend();
  // How often there was such a call; failed ones count.
  std::size_t calls(DiskCall call) const;
  bool HasFailed() const;
  // Bytes of all files together, over which writes fail for want of space.
  void SetCapacity(std::size_t bytes);
  std::size_t used() const;

  class State;  // of the implementation

 private:
  const std::unique_ptr<State> state_;
};

}  // namespace tally::support

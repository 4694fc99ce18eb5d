#include "tests/support/power_loss.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace tally::support {
namespace {

constexpr std::uint64_t kSector = 512;

// Bytes within one sector, or a change of size.
struct Piece {
  std::uint64_t at = 0;
  absl::string_view bytes;
  bool is_truncation = false;
};

void Apply(const Piece& piece, std::string& content) {
  if (piece.is_truncation) {
    content.resize(piece.at);
    return;
  }
  content.resize(std::max<std::size_t>(content.size(), piece.at + piece.bytes.size()));
  content.replace(piece.at, piece.bytes.size(), piece.bytes.data(), piece.bytes.size());
}

void AddPieces(const DiskOperation& operation, std::vector<Piece>& out) {
  if (operation.call == DiskCall::kTruncate) {
    out.push_back({operation.at, {}, true});
    return;
  }
  const absl::string_view bytes = operation.bytes;
  for (std::uint64_t done = 0; done < bytes.size();) {
    const std::uint64_t at = operation.at + done;
    const std::uint64_t size = std::min(kSector - at % kSector, bytes.size() - done);
    out.push_back({at, bytes.substr(done, size), false});
    done += size;
  }
}

struct File {
  std::string path;
  std::string synced;
  bool is_name_synced = false;  // that it is there
  bool is_deleted = false;      // as processes saw it
  bool is_deletion_synced = false;
  std::vector<Piece> pending;
};

class Cut {
 public:
  Cut(Loss loss, std::uint64_t seed) : loss_(loss), random_(seed) {}

  // With `is_honest` false a sync does nothing.
  void Take(const DiskOperation& operation, bool is_honest) {
    if (operation.path.empty()) {
      if (is_honest) SyncNames();
      return;
    }
    File& file = files_[operation.file];
    file.path = operation.path;
    switch (operation.call) {
      case DiskCall::kWrite:
      case DiskCall::kTruncate:
        AddPieces(operation, file.pending);
        return;
      case DiskCall::kSync:
        if (is_honest) Sync(file);
        return;
      case DiskCall::kDelete:
        file.is_deleted = true;
        file.is_deletion_synced = operation.is_durable && is_honest;
        return;
      case DiskCall::kOpen:
      case DiskCall::kRead:
      case DiskCall::kMapShared:
        return;
    }
  }

  DiskImage Image() {
    DiskImage image;
    for (auto& [number, file] : files_) {  // in the order in which they were made
      if (file.is_deleted && (file.is_deletion_synced || Keeps())) continue;
      if (!file.is_name_synced && !Keeps()) continue;
      const std::size_t whole = loss_ == Loss::kTail ? Draw(file.pending.size() + 1) : 0;
      for (std::size_t i = 0; i < file.pending.size(); ++i) {
        if (loss_ == Loss::kTail ? i < whole : Keeps()) Apply(file.pending[i], file.synced);
      }
      image[file.path] = file.synced;
    }
    return image;
  }

 private:
  static void Sync(File& file) {
    for (const Piece& piece : file.pending) Apply(piece, file.synced);
    file.pending.clear();
    file.is_name_synced = true;
  }

  void SyncNames() {
    for (auto& [number, file] : files_) {
      file.is_name_synced = true;
      file.is_deletion_synced = file.is_deleted;
    }
  }

  bool Keeps() {
    if (loss_ == Loss::kNothing) return true;
    return loss_ != Loss::kAll && Draw(2) == 0;
  }
  std::size_t Draw(std::size_t below) { return random_() % below; }

  const Loss loss_;
  std::mt19937_64 random_;
  std::map<std::int64_t, File> files_;
};

}  // namespace

DiskImage CutPower(std::span<const DiskOperation> history, Loss loss, std::uint64_t seed) {
  Cut cut(loss, seed);
  for (const DiskOperation& operation : history) cut.Take(operation, true);
  return cut.Image();
}

DiskImage CutPowerOfLiar(std::span<const DiskOperation> history, Loss loss, std::uint64_t seed) {
  std::vector<std::size_t> syncs;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].call == DiskCall::kSync) syncs.push_back(i);
  }
  // The disk keeps little for long: it is the latest syncs that were lies.
  constexpr std::size_t kLiesMax = 24;
  std::mt19937_64 random(seed);
  const std::size_t lies = syncs.empty() ? 0 : 1 + random() % std::min(kLiesMax, syncs.size());
  const std::size_t honest_until = lies == 0 ? history.size() : syncs[syncs.size() - lies];
  Cut cut(loss, seed);
  for (std::size_t i = 0; i < history.size(); ++i) cut.Take(history[i], i < honest_until);
  return cut.Image();
}

}  // namespace tally::support

// What a power cut leaves of a disk, from the history of what was written and synced. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/support/faulty_disk.h"

namespace tally::support {

// What becomes of changes that were not synced. Sectors of 512 bytes are written whole or not at
// all, and what a write did not touch stays as it was.
enum class Loss {
  kNothing,   // all of them reach the disk: a kill, or luck
  kAll,       // none does
  kTail,      // those after some moment don't, and of the last one only some sectors
  kAnything,  // each sector for itself, so that later ones outlive earlier ones
};

// The disk after `history` was cut. Equal seeds give equal images.
DiskImage CutPower(std::span<const DiskOperation> history, Loss loss, std::uint64_t seed);

// The same of a disk that says it synced and did not: from one of its syncs on, they meant nothing.
DiskImage CutPowerOfLiar(std::span<const DiskOperation> history, Loss loss, std::uint64_t seed);

}  // namespace tally::support

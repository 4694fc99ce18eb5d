#include "ledger/protocol/wire.h"

namespace tally::protocol {
namespace {

// Wire types.
constexpr std::uint64_t kVarint = 0;
constexpr std::uint64_t kFixed64 = 1;
constexpr std::uint64_t kLengthDelimited = 2;
constexpr std::uint64_t kFixed32 = 5;

std::uint64_t TagOf(int field, std::uint64_t type) {
  return (static_cast<std::uint64_t>(field) << 3U) | type;
}

void AppendVarint(std::uint64_t value, std::string* out) {
  for (; value >= 0x80U; value >>= 7U) out->push_back(static_cast<char>((value & 0x7FU) | 0x80U));
  out->push_back(static_cast<char>(value));
}

}  // namespace

bool WireReader::ReadVarint(std::uint64_t& out) {
  out = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    out |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

bool WireReader::ReadBytes(std::uint64_t size, absl::string_view& out) {
  if (size > rest_.size()) return false;
  out = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(out.size());
  return true;
}

bool WireReader::Next() {
  if (rest_.empty() || !is_well_formed_) return false;
  number_ = 0;
  bytes_ = {};
  std::uint64_t tag = 0;
  std::uint64_t size = 0;
  absl::string_view skipped;
  is_well_formed_ = ReadVarint(tag) && (tag >> 3U) > 0 && (tag >> 32U) == 0;
  if (!is_well_formed_) return false;
  field_ = static_cast<int>(tag >> 3U);
  switch (tag & 7U) {
    case kVarint:
      is_well_formed_ = ReadVarint(number_);
      break;
    case kLengthDelimited:
      is_well_formed_ = ReadVarint(size) && ReadBytes(size, bytes_);
      break;
    case kFixed64:
      is_well_formed_ = ReadBytes(8, skipped);
      break;
    case kFixed32:
      is_well_formed_ = ReadBytes(4, skipped);
      break;
    default:  // groups: proto3 has none
      is_well_formed_ = false;
  }
  return is_well_formed_;
}

std::size_t SizeOfVarint(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80U; value >>= 7U) ++size;
  return size;
}

std::size_t SizeOfNumber(int field, std::uint64_t value) {
  return value == 0 ? 0 : SizeOfVarint(TagOf(field, kVarint)) + SizeOfVarint(value);
}

std::size_t SizeOfBytes(int field, std::size_t size) {
  return SizeOfVarint(TagOf(field, kLengthDelimited)) + SizeOfVarint(size) + size;
}

void AppendNumber(int field, std::uint64_t value, std::string* out) {
  if (value == 0) return;
  AppendVarint(TagOf(field, kVarint), out);
  AppendVarint(value, out);
}

void AppendHeader(int field, std::size_t size, std::string* out) {
  AppendVarint(TagOf(field, kLengthDelimited), out);
  AppendVarint(size, out);
}

void AppendBytes(int field, absl::string_view bytes, std::string* out) {
  AppendHeader(field, bytes.size(), out);
  out->append(bytes.data(), bytes.size());
}

}  // namespace tally::protocol

#include "ledger/store/sqlite/log_format.h"

namespace tally::store::sqlite {
namespace {

constexpr std::uint32_t kMagic = 0x377f0682;  // with the lowest bit set: big-endian words

std::uint32_t Byte(const char* at, int i) { return static_cast<unsigned char>(at[i]); }

std::uint32_t BigEndian(const char* at) {
  return Byte(at, 0) << 24U | Byte(at, 1) << 16U | Byte(at, 2) << 8U | Byte(at, 3);
}
std::uint32_t LittleEndian(const char* at) {
  return Byte(at, 3) << 24U | Byte(at, 2) << 16U | Byte(at, 1) << 8U | Byte(at, 0);
}

template <std::uint32_t (*Word)(const char*)>
LogChecksum ExtendBy(LogChecksum sum, absl::string_view bytes) {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    sum.first += Word(bytes.data() + at) + sum.second;
    sum.second += Word(bytes.data() + at + 4) + sum.first;
  }
  return sum;
}

std::uint64_t Salt(const char* at) {
  return std::uint64_t{BigEndian(at)} << 32U | BigEndian(at + 4);
}

}  // namespace

LogChecksum Extend(LogChecksum sum, absl::string_view bytes, WordOrder order) {
  return order == WordOrder::kBigEndian ? ExtendBy<BigEndian>(sum, bytes)
                                        : ExtendBy<LittleEndian>(sum, bytes);
}

LogChecksum ReadChecksum(absl::string_view bytes) {
  return {BigEndian(bytes.data()), BigEndian(bytes.data() + 4)};
}

void WriteChecksum(LogChecksum sum, char* out) {
  for (int i = 0; i < 4; ++i) {
    out[i] = static_cast<char>(sum.first >> (24 - 8 * i) & 0xFFU);
    out[i + 4] = static_cast<char>(sum.second >> (24 - 8 * i) & 0xFFU);
  }
}

LogHeader ReadLogHeader(absl::string_view bytes) {
  const std::uint32_t magic = BigEndian(bytes.data());
  LogHeader header;
  header.order = (magic & 1U) != 0 ? WordOrder::kBigEndian : WordOrder::kLittleEndian;
  header.page_bytes = BigEndian(bytes.data() + 8);
  header.salt = Salt(bytes.data() + 16);
  header.sum = ReadChecksum(bytes.substr(kLogChecksumAt));
  header.is_whole = (magic & ~1U) == kMagic &&
                    header.sum == Extend({}, bytes.substr(0, kLogChecksumAt), header.order);
  return header;
}

FrameHeader ReadFrameHeader(absl::string_view bytes) {
  FrameHeader header;
  header.page_number = BigEndian(bytes.data());
  header.pages_after_commit = BigEndian(bytes.data() + 4);
  header.salt = Salt(bytes.data() + 8);
  header.sum = ReadChecksum(bytes.substr(kFrameChecksumAt));
  return header;
}

LogChecksum FrameChecksum(LogChecksum before, absl::string_view header, absl::string_view page,
                          WordOrder order) {
  return Extend(Extend(before, header.substr(0, 8), order), page, order);
}

}  // namespace tally::store::sqlite

// Protobuf's wire format, as much of it as moving parts of messages takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tally::protocol {

// Goes through the fields of a message. What Next() refuses is no message.
class WireReader {
 public:
  explicit WireReader(absl::string_view bytes) : rest_(bytes) {}

  // False at the end, and when what follows can't be read.
  bool Next();
  // Whether all was read.
  bool is_at_end() const { return is_well_formed_ && rest_.empty(); }

  // Of the field that Next() came to.
  int field() const { return field_; }
  std::uint64_t number() const { return number_; }    // of a varint, else 0
  absl::string_view bytes() const { return bytes_; }  // of text or a message, else empty

 private:
  bool ReadVarint(std::uint64_t& out);
  bool ReadBytes(std::uint64_t size, absl::string_view& out);

  absl::string_view rest_;
  bool is_well_formed_ = true;
  int field_ = 0;
  std::uint64_t number_ = 0;
  absl::string_view bytes_;
};

// Bytes that the functions below append.
std::size_t SizeOfVarint(std::uint64_t value);
std::size_t SizeOfNumber(int field, std::uint64_t value);
std::size_t SizeOfBytes(int field, std::size_t size);

// As in proto3, a number that is 0 is left out.
void AppendNumber(int field, std::uint64_t value, std::string* out);
// Tag and length; the bytes themselves are the caller's to append.
void AppendHeader(int field, std::size_t size, std::string* out);
void AppendBytes(int field, absl::string_view bytes, std::string* out);

}  // namespace tally::protocol

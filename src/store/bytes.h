// Packing of numbers and text into blobs, and their unpacking with every length checked.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fineprint::store {

// A blob that does not hold what its first bytes promise. Caught where its row is known.
class BlobDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  // Seven bits a byte, lowest first; the high bit says that more follow.
  void varint(std::uint64_t value);
  void f32(float value);  // bit pattern, little endian
  void u64(std::uint64_t value);
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  void text(std::string_view bytes);  // length and bytes

  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Every read throws BlobDamage rather than pass the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t u8();
  std::uint64_t varint();
  std::uint32_t varint32();  // also throws when the value needs more than 32 bits
  float f32();
  std::uint64_t u64();
  std::string_view raw(std::uint64_t size);
  std::string_view text() { return raw(varint()); }
  // A count of items that take at least `least_bytes` each: larger ones cannot be true.
  std::size_t count(std::size_t least_bytes);

  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace fineprint::store

// Packs numbers and text into blobs, and unpacks them with every length checked.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fineprint::store {

// Thrown if a blob does not hold what it should. Callers catch it where they know which row it is.
class BlobDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Appends values to a growing blob.
class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  // Writes seven bits to a byte, lowest first. The high bit is set if more bytes follow: for
  // example, 300 becomes 0xAC 0x02.
  void varint(std::uint64_t value);
  void f32(float value);  // its bit pattern, little endian
  void u64(std::uint64_t value);
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  void text(std::string_view bytes);  // the length as a varint, then the bytes

  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Reads values back in order. Every function throws BlobDamage if it would read past the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t u8();
  std::uint64_t varint();
  std::uint32_t varint32();  // also throws if the value needs more than 32 bits
  float f32();
  std::uint64_t u64();
  std::string_view raw(std::uint64_t size);
  std::string_view text() { return raw(varint()); }
  // Returns a count of items that follow and take at least `least_bytes` each. Throws if so many
  // items cannot fit into the rest of the blob.
  std::size_t count(std::size_t least_bytes);

  bool at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace fineprint::store

// Packs numbers and text into blobs, and unpacks them with every length checked.
#include "store/bytes.h"

#include <bit>
#include <limits>

namespace fineprint::store {

void ByteWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    u8(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  u8(static_cast<std::uint8_t>(value));
}

void ByteWriter::f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) u8(static_cast<std::uint8_t>(bits >> shift));
}

void ByteWriter::u64(std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) u8(static_cast<std::uint8_t>(value >> shift));
}

void ByteWriter::text(std::string_view bytes) {
  varint(bytes.size());
  raw(bytes);
}

std::uint8_t ByteReader::u8() {
  if (bytes_.empty()) throw BlobDamage("it ends too early");
  const std::uint8_t value = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return value;
}

// Ten bytes hold 64 bits. A number that goes on after them can only be damage.
std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw BlobDamage("it has a number without an end");
}

std::uint32_t ByteReader::varint32() {
  const std::uint64_t value = varint();
  if (value > std::numeric_limits<std::uint32_t>::max()) throw BlobDamage("a number is too large");
  return static_cast<std::uint32_t>(value);
}

float ByteReader::f32() {
  std::uint32_t bits = 0;
  for (int shift = 0; shift < 32; shift += 8) bits |= static_cast<std::uint32_t>(u8()) << shift;
  return std::bit_cast<float>(bits);
}

std::uint64_t ByteReader::u64() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 8) value |= static_cast<std::uint64_t>(u8()) << shift;
  return value;
}

// Returns a view into the blob, without a copy, so the blob must outlive it.
std::string_view ByteReader::raw(std::uint64_t size) {
  if (size > bytes_.size()) throw BlobDamage("it ends too early");
  const std::string_view out(reinterpret_cast<const char*>(bytes_.data()), size);
  bytes_ = bytes_.subspan(size);
  return out;
}

// Checking the count against the bytes that are left keeps a damaged count from allocating
// gigabytes before the first item is read.
std::size_t ByteReader::count(std::size_t least_bytes) {
  const std::uint64_t value = varint();
  if (value > bytes_.size() / least_bytes) throw BlobDamage("a count is larger than the blob");
  return value;
}

}  // namespace fineprint::store

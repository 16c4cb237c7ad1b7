// Packs and unpacks posting lists.
#include "store/postings/list.h"

#include <array>
#include <bit>
#include <cstring>

namespace fineprint::store {

namespace {

// 128 numbers make every packed block a multiple of 16 bytes, whatever its width.
constexpr std::size_t kBlock = 128;
using Block = std::array<std::uint32_t, kBlock>;

// The bits that the largest value of the block needs: all values of a block have the same width.
int width_of(const Block& values) {
  std::uint32_t all = 0;
  for (const std::uint32_t value : values) all |= value;
  return std::bit_width(all);
}

std::size_t packed_bytes(int width) { return kBlock / 8 * static_cast<std::size_t>(width); }

// Writes the lowest bits first, as unpack_block() reads them.
void append_packed(const Block& values, int width, ByteWriter* out) {
  std::uint64_t pending = 0;
  int bits = 0;
  for (const std::uint32_t value : values) {
    pending |= std::uint64_t{value} << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      out->u8(static_cast<std::uint8_t>(pending));
      pending >>= 8;
    }
  }
}

// Needs no branches: shifts each number out of the eight bytes that it begins in. A number of up to
// 32 bits, shifted by up to 7, always fits.
void unpack_block(const std::uint8_t* from, int width, Block* values) {
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  std::size_t bit = 0;
  for (std::uint32_t& value : *values) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + bit / 8, sizeof word);
    value = static_cast<std::uint32_t>((word >> (bit % 8)) & mask);
    bit += static_cast<std::size_t>(width);
  }
}

std::uint32_t append_block(std::span<const score::Posting> postings, std::uint32_t next,
                           ByteWriter* out) {
  Block gaps, frequencies;
  for (std::size_t i = 0; i < kBlock; ++i) {
    gaps[i] = postings[i].unit - next;
    frequencies[i] = postings[i].frequency - 1;  // 0 wraps here and back when it is read
    next = postings[i].unit + 1;
  }
  const int gap_width = width_of(gaps), frequency_width = width_of(frequencies);
  out->u8(static_cast<std::uint8_t>(gap_width));
  out->u8(static_cast<std::uint8_t>(frequency_width));
  append_packed(gaps, gap_width, out);
  append_packed(frequencies, frequency_width, out);
  return next;
}

// Returns the first unit that the next posting may have.
std::uint64_t read_block(ByteReader* in, std::uint64_t next, std::uint32_t units,
                         score::Posting* out) {
  const int gap_width = in->u8(), frequency_width = in->u8();
  if (gap_width > 32 || frequency_width > 32) throw BlobDamage("a block is too wide");
  const auto* gap_bits =
      reinterpret_cast<const std::uint8_t*>(in->raw(packed_bytes(gap_width)).data());
  const auto* frequency_bits =
      reinterpret_cast<const std::uint8_t*>(in->raw(packed_bytes(frequency_width)).data());
  Block gaps, frequencies{};
  unpack_block(gap_bits, gap_width, &gaps);
  if (frequency_width > 0) unpack_block(frequency_bits, frequency_width, &frequencies);
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t unit = next + gaps[i];
    out[i] = {static_cast<std::uint32_t>(unit), frequencies[i] + 1};
    next = unit + 1;
  }
  if (next > units) throw BlobDamage("it refers to a unit that does not exist");
  return next;
}

}  // namespace

void append_list(std::span<const score::Posting> postings, ByteWriter* out) {
  out->varint(postings.size());
  std::uint32_t next = 0;
  for (; postings.size() >= kBlock; postings = postings.subspan(kBlock)) {
    next = append_block(postings.first(kBlock), next, out);
  }
  for (const auto& [unit, frequency] : postings) {
    out->varint(std::uint64_t{unit - next} * 2 + (frequency == 1 ? 1 : 0));
    if (frequency != 1) out->varint(frequency);
    next = unit + 1;
  }
}

std::size_t read_list_size(std::span<const std::uint8_t> list, std::uint32_t units) {
  const std::uint64_t count = ByteReader(list).varint();
  if (count > units) throw BlobDamage("it has more postings than there are units");
  return count;
}

// Decodes straight into `out`: the count is known first, and no list has more postings than units.
void decode_list(std::span<const std::uint8_t> list, std::uint32_t units,
                 std::vector<score::Posting>* out) {
  const std::size_t count = read_list_size(list, units);
  ByteReader in(list);
  in.varint();  // the count
  const std::size_t before = out->size();
  out->resize(before + count);
  const std::span<score::Posting> postings = std::span(*out).subspan(before);
  std::uint64_t next = 0;
  std::size_t i = 0;
  for (; i + kBlock <= count; i += kBlock) next = read_block(&in, next, units, &postings[i]);
  for (; i < count; ++i) {
    const std::uint64_t head = in.varint();
    const std::uint64_t unit = next + (head >> 1);
    if (unit >= units) throw BlobDamage("it refers to a unit that does not exist");
    postings[i] = {static_cast<std::uint32_t>(unit), (head & 1) != 0 ? 1 : in.varint32()};
    next = unit + 1;
  }
  if (!in.at_end()) throw BlobDamage("it has bytes after its end");
}

}  // namespace fineprint::store

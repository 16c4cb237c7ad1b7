// Encodes one posting list: blocks of bit-packed numbers, then the rest as varints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/score/bm25.h"

#include "store/bytes.h"

namespace fineprint::store {

// Bytes that must be readable after a list, because packed numbers are read eight bytes at a time.
inline constexpr std::size_t kListPadding = 8;

// Appends the encoded list to `out`: the number of postings; each full block of 128 as two widths
// in bits, the gaps between units, and the frequencies minus one; the rest as varints of gap * 2 +
// (1 if the frequency is 1), each followed by the frequency if it is not 1. Units must ascend.
void append_list(std::span<const score::Posting> postings, ByteWriter* out);

// Returns how many postings a list has. Throws BlobDamage if they are more than `units`.
std::size_t read_list_size(std::span<const std::uint8_t> list, std::uint32_t units);

// Appends the postings to `out`. kListPadding readable bytes must follow `list`. Throws BlobDamage
// if the list ends too early or contains a unit that is not below `units`.
void decode_list(std::span<const std::uint8_t> list, std::uint32_t units,
                 std::vector<score::Posting>* out);

}  // namespace fineprint::store

// One posting list as bytes: blocks of bit-packed numbers, then a rest of varints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/score/bm25.h"

#include "store/bytes.h"

namespace fineprint::store {

// Bytes that must be readable after a list, as packed numbers are read eight bytes at a time.
inline constexpr std::size_t kListPadding = 8;

// Appends the number of postings; each full block of 128 as two widths in bits, the gaps between
// units and the frequencies less one; and what is left as varints of gap * 2 + (frequency is 1),
// with the frequency where it is not 1. Units must ascend.
void append_list(std::span<const score::Posting> postings, ByteWriter* out);

// Appends to `out`. `list` is followed by kListPadding readable bytes. Throws BlobDamage when the
// list ends too early or names a unit that is not under `units`.
void decode_list(std::span<const std::uint8_t> list, std::uint32_t units,
                 std::vector<score::Posting>* out);

}  // namespace fineprint::store

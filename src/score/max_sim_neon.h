// What both kinds of MaxSim's kernels need on 64-bit ARM: blocks of 16 rows, four registers wide.
#pragma once

#include <cstddef>
#include <cstdint>

#include <arm_neon.h>

#include "score/max_sim_kernels.h"

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kQuads = kLanes / 4;  // registers of a block
constexpr std::size_t kWordBytes = 4;
constexpr std::size_t kAheadBytes = kLanes * kWordBytes;  // a cache line

// Loads four words.
inline uint32x4_t words_at(const std::uint8_t* at) { return vreinterpretq_u32_u8(vld1q_u8(at)); }

// Transposes four columns of four rows.
inline void transpose_square(const std::uint8_t* const* rows, std::size_t byte,
                             std::uint32_t* out) {
  const uint32x4_t a = words_at(rows[0] + byte), b = words_at(rows[1] + byte);
  const uint32x4_t c = words_at(rows[2] + byte), d = words_at(rows[3] + byte);
  const uint64x2_t ab_even = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
  const uint64x2_t ab_odd = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
  const uint64x2_t cd_even = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
  const uint64x2_t cd_odd = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
  vst1q_u32(out, vreinterpretq_u32_u64(vtrn1q_u64(ab_even, cd_even)));
  vst1q_u32(out + kLanes, vreinterpretq_u32_u64(vtrn1q_u64(ab_odd, cd_odd)));
  vst1q_u32(out + 2 * kLanes, vreinterpretq_u32_u64(vtrn2q_u64(ab_even, cd_even)));
  vst1q_u32(out + 3 * kLanes, vreinterpretq_u32_u64(vtrn2q_u64(ab_odd, cd_odd)));
}

// A block of 16 rows is four groups of four, next to each other in the output.
inline void transpose(const std::uint8_t* const* rows, std::size_t bytes, std::uint32_t* out) {
  for (std::size_t byte = 0; byte < bytes; byte += kChunkBytes) {
    for (std::size_t q = 0; q < kQuads; ++q) {
      transpose_square(rows + 4 * q, byte, out + byte / kWordBytes * kLanes + 4 * q);
    }
  }
}

// Raises 16 numbers to `fresh` where that is larger. NaN wins and stays, as FMAX has it.
inline void raise_largest(const float32x4_t (&fresh)[kQuads], float* largest) {
#pragma GCC unroll 4
  for (std::size_t q = 0; q < kQuads; ++q) {
    vst1q_f32(largest + 4 * q, vmaxq_f32(fresh[q], vld1q_f32(largest + 4 * q)));
  }
}

}  // namespace
}  // namespace fineprint::score

// MaxSim by codes with NEON's sums of four products of bytes.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "score/max_sim_kernels.h"
#include "score/max_sim_neon.h"

#define FINEPRINT_DOT __attribute__((target("+dotprod")))

namespace fineprint::score {
namespace {

constexpr int kLevels = 127;  // sums of products of signed bytes have 32 bits

inline int8x16_t codes_at(const std::uint32_t* words) {
  return vreinterpretq_s8_u32(vld1q_u32(words));
}

// Both factors of a product may be signed here, so the codes stay as they are.
FINEPRINT_DOT void measure(std::uint32_t* words, std::size_t word_count, std::int32_t* squares) {
  int32x4_t sums[kQuads] = {};
  for (std::size_t w = 0; w < word_count; ++w, words += kLanes) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      const int8x16_t codes = codes_at(words + 4 * q);
      sums[q] = vdotq_s32(sums[q], codes, codes);
    }
  }
  for (std::size_t q = 0; q < kQuads; ++q) vst1q_s32(squares + 4 * q, sums[q]);
}

// The sums are integers and exact. Only the scale at the end rounds.
template <int N>
FINEPRINT_DOT void multiply_codes(const CodeBlock& block, const CodeTile& tile,
                                  const std::uint8_t* ahead, float* products, float* largest) {
  int32x4_t sums[N][kQuads] = {};
  const std::uint32_t* rows = block.words;
  const std::uint32_t* codes = tile.words;
  for (std::size_t w = 0; w < block.word_count; ++w, rows += kLanes, codes += N) {
    __builtin_prefetch(ahead + w * kAheadBytes);
    int8x16_t four[kQuads];
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) four[q] = codes_at(rows + 4 * q);
#pragma GCC unroll 6
    for (int n = 0; n < N; ++n) {
      const int8x16_t query = vreinterpretq_s8_u32(vdupq_n_u32(codes[n]));
#pragma GCC unroll 4
      for (std::size_t q = 0; q < kQuads; ++q) sums[n][q] = vdotq_s32(sums[n][q], four[q], query);
    }
  }
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n, products += kLanes, largest += kLanes) {
    float32x4_t fresh[kQuads];
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      fresh[q] = vmulq_f32(vcvtq_f32_s32(sums[n][q]), vld1q_f32(block.scales + 4 * q));
      vst1q_f32(products + 4 * q, fresh[q]);
    }
    raise_largest(fresh, largest);
  }
}

// Compares all query vectors before it looks at the lanes, so the loop has no branches.
std::uint32_t reaching(const float* products, const float* thresholds, std::size_t count) {
  uint32x4_t reached[kQuads] = {};
  for (std::size_t n = 0; n < count; ++n, products += kLanes) {
    const float32x4_t threshold = vdupq_n_f32(thresholds[n]);
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      reached[q] = vorrq_u32(reached[q], vcgeq_f32(vld1q_f32(products + 4 * q), threshold));
    }
  }
  constexpr std::uint32_t kBits[4] = {1, 2, 4, 8};
  std::uint32_t mask = 0;
  for (std::size_t q = 0; q < kQuads; ++q) {
    mask |= vaddvq_u32(vandq_u32(reached[q], vld1q_u32(kBits))) << 4 * q;
  }
  return mask;
}

}  // namespace

const CodeKernel kCodesNeonDot{kLanes,
                               6,
                               kLevels,
                               transpose,
                               measure,
                               {multiply_codes<1>, multiply_codes<2>, multiply_codes<3>,
                                multiply_codes<4>, multiply_codes<5>, multiply_codes<6>},
                               reaching};

}  // namespace fineprint::score

#endif

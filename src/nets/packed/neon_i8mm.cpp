// Products of codes with NEON's products of matrices of bytes: 2 rows of 8 codes of x, without a
// sign, by 8 weights of 2 columns, with one.
#if defined(__aarch64__)

#define FINEPRINT_TARGET __attribute__((target("+i8mm")))

#include "nets/packed/neon_lanes.h"

namespace fineprint::nets {
namespace {

struct Set : NeonLanes {
  // 16 registers of sums, 2 rows by 2 columns each; the other 16 hold columns and rows.
  static constexpr int kCodeRows = 8;
  static constexpr std::int64_t kCodeColumns = 8;

  template <int kRows>
  FINEPRINT_TARGET static void add_codes(const std::uint8_t* x, std::int64_t step,
                                         const std::int8_t* panel, std::int64_t quads,
                                         std::int32_t* sums) {
    constexpr int kPairs = (kRows + 1) / 2;
    int32x4_t all[kPairs][4] = {};
    std::int64_t q = 0;
    for (; q + 2 <= quads; q += 2, x += 8, panel += 2 * kQuadStep) {
      uint8x8_t rows[2 * kPairs];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) rows[r] = vld1_u8(x + r * step);
      add_two_quads<kRows>(rows, panel, panel + kQuadStep, all);
    }
    if (q < quads) {  // a single quad is left; the other one is zeros
      static constexpr std::int8_t kNothing[32] = {};
      uint8x8_t rows[2 * kPairs];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        std::uint32_t four = 0;
        std::memcpy(&four, x + r * step, sizeof four);
        rows[r] = vcreate_u8(four);
      }
      add_two_quads<kRows>(rows, panel, kNothing, all);
    }
    // A register has both sums of the first row, then both of the second.
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        const int64x2_t left = vreinterpretq_s64_s32(all[r / 2][2 * half]);
        const int64x2_t right = vreinterpretq_s64_s32(all[r / 2][2 * half + 1]);
        const int64x2_t row = r % 2 == 0 ? vzip1q_s64(left, right) : vzip2q_s64(left, right);
        vst1q_s32(sums + r * kCodeColumns + 4 * half, vreinterpretq_s32_s64(row));
      }
    }
  }

 private:
  // Adds the products of eight columns of W, which are in two quads, with kRows rows of x.
  template <int kRows>
  FINEPRINT_TARGET static void add_two_quads(uint8x8_t (&rows)[(kRows + 1) / 2 * 2],
                                             const std::int8_t* first, const std::int8_t* second,
                                             int32x4_t (&all)[(kRows + 1) / 2][4]) {
    int8x16_t columns[4];
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const int32x4_t a = vreinterpretq_s32_s8(vld1q_s8(first + 16 * half));
      const int32x4_t b = vreinterpretq_s32_s8(vld1q_s8(second + 16 * half));
      columns[2 * half] = vreinterpretq_s8_s32(vzip1q_s32(a, b));
      columns[2 * half + 1] = vreinterpretq_s8_s32(vzip2q_s32(a, b));
    }
    if constexpr (kRows % 2 != 0) rows[kRows] = vdup_n_u8(0);
#pragma GCC unroll 4
    for (int pair = 0; pair < (kRows + 1) / 2; ++pair) {
      const uint8x16_t values = vcombine_u8(rows[2 * pair], rows[2 * pair + 1]);
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        all[pair][i] = vusmmlaq_s32(all[pair][i], values, columns[i]);
      }
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"

namespace fineprint::nets {
const CodesKernel kCodesNeonI8mm = kCodesOfSet;
}  // namespace fineprint::nets

#endif

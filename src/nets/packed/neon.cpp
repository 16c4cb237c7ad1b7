// The steps of a text encoder with NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)

#define FINEPRINT_TARGET

#include "nets/packed/neon_lanes.h"

namespace fineprint::nets {
namespace {

struct Set : NeonLanes {
  // 24 registers of sums; the other eight of the 32 hold a panel's columns and values of x.
  static constexpr int kTileRows = 6;

  // Sums of codes: 4 rows by 8 columns take 16 registers, each with pairs of sums of 2 columns.
  static constexpr int kCodeRows = 4;
  static constexpr std::int64_t kCodeColumns = 8;

  template <int kRows>
  static void add_codes(const std::uint8_t* x, std::int64_t step, const std::int8_t* panel,
                        std::int64_t quads, std::int32_t* sums) {
    int32x4_t pairs[kRows][4] = {};
    int32x4_t weights[2] = {};  // the sum of each column's weights
    for (std::int64_t q = 0; q < quads; ++q, x += 4, panel += kQuadStep) {
      const int8x16_t columns[2] = {vld1q_s8(panel), vld1q_s8(panel + 16)};
      for (int i = 0; i < 2; ++i) weights[i] = vpadalq_s16(weights[i], vpaddlq_s8(columns[i]));
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const int8x16_t values = lowered_codes(x + r * step);
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
          const int16x8_t low = vmull_s8(vget_low_s8(columns[i]), vget_low_s8(values));
          pairs[r][2 * i] = vpadalq_s16(pairs[r][2 * i], low);
          pairs[r][2 * i + 1] = vpadalq_s16(pairs[r][2 * i + 1], vmull_high_s8(columns[i], values));
        }
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        const int32x4_t lowered = vpaddq_s32(pairs[r][2 * i], pairs[r][2 * i + 1]);
        vst1q_s32(sums + r * kCodeColumns + 4 * i, vmlaq_n_s32(lowered, weights[i], kMiddle));
      }
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"
#include "nets/packed/rows.h"

namespace fineprint::nets {
const RowsKernel kRowsNeon = {multiply_all, softmax, add_by_kind, norm};
const CodesKernel kCodesNeon = kCodesOfSet;
}  // namespace fineprint::nets

#endif

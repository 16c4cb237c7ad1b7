// Products of codes with NEON's sums of four products of bytes.
#if defined(__aarch64__)

#define FINEPRINT_TARGET __attribute__((target("+dotprod")))

#include "nets/packed/neon_lanes.h"

namespace fineprint::nets {
namespace {

struct Set : NeonLanes {
  // 20 sums of codes and 4 of weights; the other eight of the 32 registers hold a panel's columns
  // and values of x.
  static constexpr int kCodeRows = 5;
  static constexpr std::int64_t kCodeColumns = 16;

  template <int kRows>
  FINEPRINT_TARGET static void add_codes(const std::uint8_t* x, std::int64_t step,
                                         const std::int8_t* panel, std::int64_t quads,
                                         std::int32_t* sums) {
    int32x4_t all[kRows][4] = {};
    int32x4_t weights[4] = {};  // the sum of each column's weights
    const int8x16_t ones = vdupq_n_s8(1);
    for (std::int64_t q = 0; q < quads; ++q, x += 4, panel += kQuadStep) {
      int8x16_t columns[4];
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        columns[i] = vld1q_s8(panel + 16 * i);
        weights[i] = vdotq_s32(weights[i], columns[i], ones);
      }
#pragma GCC unroll 5
      for (int r = 0; r < kRows; ++r) {
        const int8x16_t values = lowered_codes(x + r * step);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) all[r][i] = vdotq_s32(all[r][i], columns[i], values);
      }
    }
#pragma GCC unroll 5
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        vst1q_s32(sums + r * kCodeColumns + 4 * i, vmlaq_n_s32(all[r][i], weights[i], kMiddle));
      }
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"

namespace fineprint::nets {
const CodesKernel kCodesNeonDot = kCodesOfSet;
}  // namespace fineprint::nets

#endif

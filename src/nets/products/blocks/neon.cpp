// Products with blocks of codes with NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)

#define FINEPRINT_TARGET

#include "nets/products/blocks/neon_set.h"

namespace fineprint::nets {
namespace {

struct Set : NeonSet {
  // 12 registers of products and 6 sums; the others of the 32 hold a panel's codes and a vector.
  static constexpr std::int64_t kGroup = 6;
  // Products of bytes have 16 bits. Those of smaller codes are added up in 16 bits first.
  static constexpr bool kPairSums = true;

  // The products of four rows by four columns.
  struct Pairs {
    int16x8_t low, high;
  };
  template <bool>
  static Pairs pairs_of(int8x16_t codes, const std::uint8_t* x) {
    const int8x16_t values = vreinterpretq_s8_s32(begin(x));
    return {vmull_s8(vget_low_s8(codes), vget_low_s8(values)), vmull_high_s8(codes, values)};
  }
  static Pairs add_pairs(Pairs a, Pairs b) {
    return {vaddq_s16(a.low, b.low), vaddq_s16(a.high, b.high)};
  }
  static Sums add_pairs_to(Sums sum, Pairs pairs) {
    return vaddq_s32(sum, vpaddq_s32(vpaddlq_s16(pairs.low), vpaddlq_s16(pairs.high)));
  }

  template <RunLayout kLayout>
  static Partial products_of_run(const std::uint8_t* at, std::int64_t, const std::uint8_t* x) {
    const int8x16x2_t codes = row_codes<kLayout>(at);
    int32x4_t sums = vdupq_n_s32(0);
    for (int half = 0; half < 2; ++half) {
      const int8x16_t values = sixteen(x + 16 * half);
      const int16x8_t low = vmull_s8(vget_low_s8(codes.val[half]), vget_low_s8(values));
      sums = vpadalq_s16(vpadalq_s16(sums, low), vmull_high_s8(codes.val[half], values));
    }
    return sums;
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksNeon = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

#endif

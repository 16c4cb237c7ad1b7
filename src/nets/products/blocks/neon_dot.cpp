// Products with blocks of codes with NEON's sums of four products of bytes.
#if defined(__aarch64__)

#define FINEPRINT_TARGET __attribute__((target("+dotprod")))

#include "nets/products/blocks/neon_set.h"

namespace fineprint::nets {
namespace {

struct Set : NeonSet {
  static constexpr std::int64_t kGroup = 12;  // sums of codes, and as many of runs
  static constexpr bool kPairSums = false;

  template <bool>
  FINEPRINT_TARGET static Sums add_products(Sums sum, int8x16_t codes, const std::uint8_t* x) {
    return vdotq_s32(sum, codes, vreinterpretq_s8_s32(begin(x)));
  }

  template <RunLayout kLayout>
  FINEPRINT_TARGET static Partial products_of_run(const std::uint8_t* at, std::int64_t,
                                                  const std::uint8_t* x) {
    const int8x16x2_t codes = row_codes<kLayout>(at);
    const int32x4_t low = vdotq_s32(vdupq_n_s32(0), codes.val[0], sixteen(x));
    return vdotq_s32(low, codes.val[1], sixteen(x + 16));
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/blocks/tiles.h"

namespace fineprint::nets {
const BlockKernel kBlocksNeonDot = {Set::kGroup, quantise_group, multiply_blocks};
}  // namespace fineprint::nets

#endif

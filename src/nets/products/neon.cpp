// Products of stored matrices with NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)

#include <cstring>

#include <arm_neon.h>

#include "nets/products/kernel.h"

#define FINEPRINT_TARGET

namespace fineprint::nets {
namespace {

struct Set {
  using Lanes = float32x4_t;
  static constexpr std::int64_t kLanes = 4;
  static constexpr std::int64_t kGroup = 6;
  // Up to 24 sums; the other eight of the 32 registers hold rows and a vector.
  static constexpr int rows_beside(int vectors) { return vectors > 4 ? 4 : vectors > 2 ? 5 : 8; }

  static Lanes load(const float* at) { return vld1q_f32(at); }
  static void store(float* at, Lanes lanes) { vst1q_f32(at, lanes); }
  static Lanes all(float value) { return vdupq_n_f32(value); }
  static Lanes times(Lanes a, Lanes b) { return vmulq_f32(a, b); }
  static Lanes add_product(Lanes a, Lanes b, Lanes sum) { return vfmaq_f32(sum, a, b); }
  static float sum(Lanes lanes) { return vaddvq_f32(lanes); }

  template <MatrixFormat kFormat>
  static Lanes widened(const std::uint8_t* at) {
    if constexpr (kFormat == MatrixFormat::float32) {
      return vreinterpretq_f32_u8(vld1q_u8(at));
    } else if constexpr (kFormat == MatrixFormat::int8) {
      std::uint32_t four = 0;
      std::memcpy(&four, at, sizeof four);
      const int16x8_t codes = vmovl_s8(vreinterpret_s8_u32(vdup_n_u32(four)));
      return vcvtq_f32_s32(vmovl_s16(vget_low_s16(codes)));
    } else {
      const uint16x4_t bits = vreinterpret_u16_u8(vld1_u8(at));
      if constexpr (kFormat == MatrixFormat::float16) {
        return vcvt_f32_f16(vreinterpret_f16_u16(bits));
      }
      return vreinterpretq_f32_u32(vshlq_n_u32(vmovl_u16(bits), 16));
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/tiles.h"

namespace fineprint::nets {
const ProductKernel kProductNeon = {Set::kGroup, multiply, widen_row};
}  // namespace fineprint::nets

#endif

// Eight floats in two registers of NEON. Included after FINEPRINT_TARGET is defined.
#include <cstdint>
#include <cstring>

#include <arm_neon.h>

#include "nets/packed/panels.h"

namespace fineprint::nets {
namespace {

struct NeonLanes {
  struct Lanes {
    float32x4_t low, high;
  };
  static constexpr std::int64_t kLanes = 8;

  FINEPRINT_TARGET static Lanes load(const float* at) { return {vld1q_f32(at), vld1q_f32(at + 4)}; }
  FINEPRINT_TARGET static void store(float* at, Lanes a) {
    vst1q_f32(at, a.low);
    vst1q_f32(at + 4, a.high);
  }
  FINEPRINT_TARGET static Lanes all(float value) {
    return {vdupq_n_f32(value), vdupq_n_f32(value)};
  }
  FINEPRINT_TARGET static Lanes add(Lanes a, Lanes b) {
    return {vaddq_f32(a.low, b.low), vaddq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes subtract(Lanes a, Lanes b) {
    return {vsubq_f32(a.low, b.low), vsubq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes times(Lanes a, Lanes b) {
    return {vmulq_f32(a.low, b.low), vmulq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes divide(Lanes a, Lanes b) {
    return {vdivq_f32(a.low, b.low), vdivq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return {vfmaq_f32(sum.low, a.low, b.low), vfmaq_f32(sum.high, a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes least(Lanes a, Lanes b) {
    return {vminq_f32(a.low, b.low), vminq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes largest(Lanes a, Lanes b) {
    return {vmaxq_f32(a.low, b.low), vmaxq_f32(a.high, b.high)};
  }
  FINEPRINT_TARGET static Lanes round(Lanes a) { return {vrndnq_f32(a.low), vrndnq_f32(a.high)}; }
  FINEPRINT_TARGET static Lanes times_power_of_2(Lanes a, Lanes power) {
    return {times_power(a.low, power.low), times_power(a.high, power.high)};
  }
  // In the order of the AVX2 kernel, so that vectors are the same to the last bit: rounding to
  // codes makes much of a last bit.
  FINEPRINT_TARGET static float sum(Lanes a) {
    const float32x4_t four = vaddq_f32(a.low, a.high);
    return vpadds_f32(vadd_f32(vget_low_f32(four), vget_high_f32(four)));
  }
  FINEPRINT_TARGET static float least_of(Lanes a) { return vminvq_f32(vminq_f32(a.low, a.high)); }
  FINEPRINT_TARGET static float largest_of(Lanes a) { return vmaxvq_f32(vmaxq_f32(a.low, a.high)); }
  FINEPRINT_TARGET static Lanes chosen(const float* from, const std::uint8_t* which) {
    float values[kLanes];
    for (std::int64_t i = 0; i < kLanes; ++i) values[i] = from[which[i]];
    return load(values);
  }
  FINEPRINT_TARGET static void store_codes(std::uint8_t* at, Lanes codes) {
    const uint16x8_t both =
        vcombine_u16(vmovn_u32(vcvtq_u32_f32(codes.low)), vmovn_u32(vcvtq_u32_f32(codes.high)));
    vst1_u8(at, vmovn_u16(both));
  }
  FINEPRINT_TARGET static Lanes widened(const std::int32_t* at) {
    return {vcvtq_f32_s32(vld1q_s32(at)), vcvtq_f32_s32(vld1q_s32(at + 4))};
  }

  using Code = std::uint8_t;
  using Weight = std::int8_t;
  static const Weight* columns_of(const std::int8_t* panel, std::int64_t, Weight*) { return panel; }
  // From four codes of all columns of a panel to the next four.
  static constexpr std::int64_t kQuadStep = kPanel * kCodesAtATime;

 private:
  FINEPRINT_TARGET static float32x4_t times_power(float32x4_t a, float32x4_t power) {
    const int32x4_t exponent = vaddq_s32(vcvtq_s32_f32(power), vdupq_n_s32(127));
    return vmulq_f32(a, vreinterpretq_f32_s32(vshlq_n_s32(exponent, 23)));
  }
};

// Codes of x are 0 to 255, but NEON multiplies bytes of the same kind. So 128 is taken off them,
// and 128 times the sum of a column's weights is added at the end.
constexpr std::uint8_t kMiddle = 128;

// Returns four codes of a row less kMiddle, four times.
FINEPRINT_TARGET inline int8x16_t lowered_codes(const std::uint8_t* at) {
  std::uint32_t four = 0;
  std::memcpy(&four, at, sizeof four);
  const uint8x16_t codes = vreinterpretq_u8_u32(vdupq_n_u32(four));
  return vreinterpretq_s8_u8(veorq_u8(codes, vdupq_n_u8(kMiddle)));
}

}  // namespace
}  // namespace fineprint::nets

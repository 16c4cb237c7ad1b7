// NEON's registers for products with blocks. Included after FINEPRINT_TARGET is defined.
#include <cstdint>
#include <cstring>

#include <arm_neon.h>

#include "nets/products/blocks/kernel.h"
#include "nets/products/blocks/run_layout.h"
#include "nets/products/blocks/scales.h"

namespace fineprint::nets {
namespace {

struct NeonSet {
  using Lanes = float __attribute__((vector_size(16)));
  using Words = std::uint32_t __attribute__((vector_size(16)));
  using Signed = std::int32_t __attribute__((vector_size(16)));
  using Sums = int32x4_t;
  static constexpr std::int64_t kRows = 4;
  static constexpr bool kSignedCodes = true;

  FINEPRINT_TARGET static Lanes load(const float* at) {
    return reinterpret_cast<Lanes>(vld1q_f32(at));
  }
  FINEPRINT_TARGET static void store(float* at, Lanes lanes) {
    std::memcpy(at, &lanes, sizeof lanes);
  }
  FINEPRINT_TARGET static Lanes all(const std::uint8_t* at) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return Lanes{value, value, value, value};
  }
  FINEPRINT_TARGET static Lanes add_product(Lanes a, Lanes b, Lanes sum) {
    return reinterpret_cast<Lanes>(vfmaq_f32(reinterpret_cast<float32x4_t>(sum),
                                             reinterpret_cast<float32x4_t>(a),
                                             reinterpret_cast<float32x4_t>(b)));
  }
  FINEPRINT_TARGET static Sums begin(const std::uint8_t* at) {
    std::int32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    return vdupq_n_s32(value);
  }
  FINEPRINT_TARGET static Lanes floats(Sums sums) {
    return reinterpret_cast<Lanes>(vcvtq_f32_s32(sums));
  }
  FINEPRINT_TARGET static Lanes signed_floats(Signed words) {
    return floats(reinterpret_cast<int32x4_t>(words));
  }
  FINEPRINT_TARGET static Lanes halves(Words words) {
    const uint16x4_t bits = vmovn_u32(reinterpret_cast<uint32x4_t>(words));
    return reinterpret_cast<Lanes>(vcvt_f32_f16(vreinterpret_f16_u16(bits)));
  }
  // Returns the codes of four rows by four columns. Codes 0..255 become signed ones around 128.
  template <bool kSigned>
  FINEPRINT_TARGET static int8x16_t codes(const std::uint8_t* at) {
    const uint8x16_t codes = vld1q_u8(at);
    return vreinterpretq_s8_u8(kSigned ? veorq_u8(codes, vdupq_n_u8(128)) : codes);
  }

  // For a single vector: sums of a row's products, four for each run.
  using Partial = int32x4_t;
  static constexpr std::int64_t kRowsOfCodes = 1;

  // Returns the codes of 32 columns of a row.
  template <RunLayout kLayout>
  FINEPRINT_TARGET static int8x16x2_t row_codes(const std::uint8_t* at) {
    const uint8x16_t low = vld1q_u8(at);
    const uint8x16_t high = kLayout == RunLayout::halves ? low : vld1q_u8(at + 16);
    const uint8x16_t nibble = vdupq_n_u8(15);
    uint8x16x2_t codes = {{low, high}};
    if constexpr (kLayout == RunLayout::lows) {
      codes = {{vandq_u8(low, nibble), vandq_u8(high, nibble)}};
    } else if constexpr (kLayout == RunLayout::highs) {
      codes = {{vshrq_n_u8(low, 4), vshrq_n_u8(high, 4)}};
    } else if constexpr (kLayout == RunLayout::halves) {
      codes = {{vandq_u8(low, nibble), vshrq_n_u8(high, 4)}};
    }
    return {{vreinterpretq_s8_u8(codes.val[0]), vreinterpretq_s8_u8(codes.val[1])}};
  }
  // Returns a number of one run for four rows.
  FINEPRINT_TARGET static Words of_runs(const std::uint8_t* at, std::int64_t) {
    std::uint32_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return Words{word, word, word, word};
  }
  FINEPRINT_TARGET static void turn_rows(const std::uint8_t* at, std::int64_t step,
                                         Words (&words)[4]) {
    turn(at, step, words);
  }
  // Adds up the parts [1, rows].
  FINEPRINT_TARGET static Signed sums_by_row(const Partial (&parts)[1][4]) {
    return reinterpret_cast<Signed>(
        vpaddq_s32(vpaddq_s32(parts[0][0], parts[0][1]), vpaddq_s32(parts[0][2], parts[0][3])));
  }
  FINEPRINT_TARGET static Lanes rows_of(Lanes lanes, int) { return lanes; }

  // Loads four words of each row, transposed.
  FINEPRINT_TARGET static void turn(const std::uint8_t* at, std::int64_t step, Words (&words)[4]) {
    const uint32x4_t a = four_words(at), b = four_words(at + step);
    const uint32x4_t c = four_words(at + 2 * step), d = four_words(at + 3 * step);
    const uint64x2_t ab_even = vreinterpretq_u64_u32(vtrn1q_u32(a, b));
    const uint64x2_t ab_odd = vreinterpretq_u64_u32(vtrn2q_u32(a, b));
    const uint64x2_t cd_even = vreinterpretq_u64_u32(vtrn1q_u32(c, d));
    const uint64x2_t cd_odd = vreinterpretq_u64_u32(vtrn2q_u32(c, d));
    words[0] = reinterpret_cast<Words>(vtrn1q_u64(ab_even, cd_even));
    words[1] = reinterpret_cast<Words>(vtrn1q_u64(ab_odd, cd_odd));
    words[2] = reinterpret_cast<Words>(vtrn2q_u64(ab_even, cd_even));
    words[3] = reinterpret_cast<Words>(vtrn2q_u64(ab_odd, cd_odd));
  }
  // Looks up each byte, which is below 16, in a table of 16.
  FINEPRINT_TARGET static Words named(Words bytes, const std::uint8_t (&table)[16]) {
    return reinterpret_cast<Words>(
        vqtbl1q_u8(vld1q_u8(table), reinterpret_cast<uint8x16_t>(bytes)));
  }

  template <typename Run>
  FINEPRINT_TARGET static void quantise(const float* x, Run* run) {
    float32x4_t values[8];
    uint32x4_t sizes = vdupq_n_u32(0);
    for (int i = 0; i < 8; ++i) {
      values[i] = vld1q_f32(x + 4 * i);
      // Compared as integers, so that NaN is the largest.
      sizes = vmaxq_u32(sizes, vreinterpretq_u32_f32(vabsq_f32(values[i])));
    }
    run->scale = largest_scale(static_cast<std::int32_t>(vmaxvq_u32(sizes)));
    const float inverse = inverse_of(run->scale);
    int32x4_t codes[8];
    for (int i = 0; i < 8; ++i) {
      // Without an inverse, values may be infinite.
      codes[i] = inverse == 0 ? vdupq_n_s32(0) : vcvtnq_s32_f32(vmulq_n_f32(values[i], inverse));
    }
    for (int half = 0; half < 2; ++half) {
      const int32x4_t* four = codes + 4 * half;
      const int16x8_t low = vcombine_s16(vmovn_s32(four[0]), vmovn_s32(four[1]));
      const int16x8_t high = vcombine_s16(vmovn_s32(four[2]), vmovn_s32(four[3]));
      run->sums[half] =
          vaddvq_s32(vaddq_s32(vaddq_s32(four[0], four[1]), vaddq_s32(four[2], four[3])));
      vst1q_s8(run->codes + 16 * half, vcombine_s8(vmovn_s16(low), vmovn_s16(high)));
    }
  }

  // Loads 16 codes of a vector.
  FINEPRINT_TARGET static int8x16_t sixteen(const std::uint8_t* at) {
    return vreinterpretq_s8_u8(vld1q_u8(at));
  }

 private:
  FINEPRINT_TARGET static uint32x4_t four_words(const std::uint8_t* at) {
    return vreinterpretq_u32_u8(vld1q_u8(at));
  }
};

}  // namespace
}  // namespace fineprint::nets

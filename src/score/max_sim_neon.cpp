// MaxSim's kernels with NEON: blocks of 16 rows, four registers wide.
#if defined(__aarch64__)

#include "score/max_sim_neon.h"

#include <arm_neon.h>

#include "score/max_sim_kernels.h"

namespace fineprint::score {
namespace {

// Loads eight numbers from `i` on.
void eight(VectorType type, const std::uint8_t* row, std::size_t i, float32x4_t (&out)[2]) {
  if (type == VectorType::i8) {
    const int16x8_t codes = vmovl_s8(vld1_s8(reinterpret_cast<const std::int8_t*>(row + i)));
    out[0] = vcvtq_f32_s32(vmovl_s16(vget_low_s16(codes)));
    out[1] = vcvtq_f32_s32(vmovl_high_s16(codes));
    return;
  }
  const uint16x8_t halves = vreinterpretq_u16_u8(vld1q_u8(row + 2 * i));
  if (type == VectorType::f16) {
    out[0] = vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(halves)));
    out[1] = vcvt_high_f32_f16(vreinterpretq_f16_u16(halves));
    return;
  }
  out[0] = vreinterpretq_f32_u32(vshlq_n_u32(vmovl_u16(vget_low_u16(halves)), 16));
  out[1] = vreinterpretq_f32_u32(vshlq_n_u32(vmovl_high_u16(halves), 16));
}

// Widens rows whose length is not a multiple of eight with the slower decode_row.
void widen(const VectorRows& rows, std::size_t r, float* out) {
  if (rows.dim % 8 != 0) return decode_row(rows, r, out);
  const float scale = rows.type == VectorType::i8 ? rows.scales[r] : 1.0F;
  for (std::size_t i = 0; i < rows.dim; i += 8) {
    float32x4_t values[2];
    eight(rows.type, rows.row(r), i, values);
    vst1q_f32(out + i, vmulq_n_f32(values[0], scale));
    vst1q_f32(out + i + 4, vmulq_n_f32(values[1], scale));
  }
}

// N sums of four registers each stay in registers while the loop walks over the dimensions.
template <int N>
void multiply(const float* block, const float* tile, std::size_t dim, const std::uint8_t* ahead,
              float* largest) {
  float32x4_t sums[N][kQuads] = {};
  for (std::size_t d = 0; d < dim; ++d, block += kLanes, tile += N, ahead += kAheadBytes) {
    __builtin_prefetch(ahead);
    float32x4_t rows[kQuads];
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) rows[q] = vld1q_f32(block + 4 * q);
#pragma GCC unroll 6
    for (int n = 0; n < N; ++n) {
#pragma GCC unroll 4
      for (std::size_t q = 0; q < kQuads; ++q) {
        sums[n][q] = vfmaq_n_f32(sums[n][q], rows[q], tile[n]);
      }
    }
  }
#pragma GCC unroll 6
  for (int n = 0; n < N; ++n, largest += kLanes) raise_largest(sums[n], largest);
}

}  // namespace

const MaxSimKernel kMaxSimNeon{
    kLanes,
    6,
    widen,
    transpose,
    {multiply<1>, multiply<2>, multiply<3>, multiply<4>, multiply<5>, multiply<6>}};

}  // namespace fineprint::score

#endif

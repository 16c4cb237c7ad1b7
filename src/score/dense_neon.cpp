// Dot products with NEON, which every 64-bit ARM processor has.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "score/dense_kernels.h"
#include "score/reading_ahead.h"

namespace fineprint::score {
namespace {

// A lane of queries is a pair of registers of four.
constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlockRows = 6;  // 24 sums, 4 registers of queries and a value fit the 32
// Values of a row that are multiplied at a time. Four sums run next to each other, because a
// multiply-add takes four cycles.
constexpr std::size_t kStep = 16;
constexpr std::size_t kParts = kStep / 4;
// Rows of kParts sums each that fit the registers together with the query.
constexpr std::size_t kLongRowsAtOnce = 4;

// Values [i, i + kStep) of a row.
template <VectorType kType>
inline void load(const std::uint8_t* row, std::size_t i, float32x4_t (&out)[kParts]) {
  if constexpr (kType == VectorType::f32) {
    const float* values = reinterpret_cast<const float*>(row) + i;
    for (std::size_t part = 0; part < kParts; ++part) out[part] = vld1q_f32(values + 4 * part);
  } else if constexpr (kType == VectorType::i8) {
    const int8x16_t codes = vld1q_s8(reinterpret_cast<const std::int8_t*>(row + i));
    const int16x8_t low = vmovl_s8(vget_low_s8(codes)), high = vmovl_high_s8(codes);
    out[0] = vcvtq_f32_s32(vmovl_s16(vget_low_s16(low)));
    out[1] = vcvtq_f32_s32(vmovl_high_s16(low));
    out[2] = vcvtq_f32_s32(vmovl_s16(vget_low_s16(high)));
    out[3] = vcvtq_f32_s32(vmovl_high_s16(high));
  } else {
    for (std::size_t half = 0; half < 2; ++half) {
      // Bytes, because stored rows may be at any address.
      const uint16x8_t bits = vreinterpretq_u16_u8(vld1q_u8(row + 2 * (i + 8 * half)));
      if constexpr (kType == VectorType::f16) {
        out[2 * half] = vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits)));
        out[2 * half + 1] = vcvt_high_f32_f16(vreinterpretq_f16_u16(bits));
      } else {
        const uint32x4_t low = vmovl_u16(vget_low_u16(bits)), high = vmovl_high_u16(bits);
        out[2 * half] = vreinterpretq_f32_u32(vshlq_n_u32(low, 16));
        out[2 * half + 1] = vreinterpretq_f32_u32(vshlq_n_u32(high, 16));
      }
    }
  }
}

template <VectorType kType>
void decode_as(const std::uint8_t* values, std::size_t count, float* out) {
  std::size_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    float32x4_t part[kParts];
    load<kType>(values, i, part);
    for (std::size_t p = 0; p < kParts; ++p) vst1q_f32(out + i + 4 * p, part[p]);
  }
  // The last few values are decoded separately, because a whole load would read past the end.
  kDensePortable.decode(kType, values + i * vector_type_bytes(kType), count - i, out + i);
}

// The type is chosen once for a row, so that the loops have no branches.
void decode(VectorType type, const std::uint8_t* values, std::size_t count, float* out) {
  switch (type) {
    case VectorType::f32:
      return decode_as<VectorType::f32>(values, count, out);
    case VectorType::f16:
      return decode_as<VectorType::f16>(values, count, out);
    case VectorType::bf16:
      return decode_as<VectorType::bf16>(values, count, out);
    case VectorType::i8:
      return decode_as<VectorType::i8>(values, count, out);
  }
}

// Computes a row's sum in the same order whatever kRows is, so that scores do not depend on it.
template <VectorType kType, std::size_t kRows>
void dot_group(const float* query, const VectorRows& rows, float* scores) {
  const std::uint8_t* row = rows.row(0);
  const std::size_t row_bytes = rows.dim * vector_type_bytes(kType);
  float32x4_t sums[kRows][kParts] = {};
  std::size_t i = 0;
  for (; i + kStep <= rows.dim; i += kStep) {
    const std::size_t at = i * vector_type_bytes(kType);
    if (kRows > 1 && at % kLine == 0) ask_ahead<kRows>(row, row_bytes, at, kLine);
    float32x4_t values[kParts];
    load<VectorType::f32>(reinterpret_cast<const std::uint8_t*>(query), i, values);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < kRows; ++r) {
      float32x4_t part[kParts];
      load<kType>(row + r * row_bytes, i, part);
#pragma GCC unroll 4
      for (std::size_t p = 0; p < kParts; ++p) {
        sums[r][p] = vfmaq_f32(sums[r][p], values[p], part[p]);
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kRows; ++r) {
    float product =
        vaddvq_f32(vaddq_f32(vaddq_f32(sums[r][0], sums[r][1]), vaddq_f32(sums[r][2], sums[r][3])));
    float rest[kStep];
    kDensePortable.decode(kType, row + r * row_bytes + i * vector_type_bytes(kType), rows.dim - i,
                          rest);
    for (std::size_t k = 0; i + k < rows.dim; ++k) product += query[i + k] * rest[k];
    scores[r] = kType == VectorType::i8 ? product * rows.scales[r] : product;
  }
}

// Long rows are read several at a time, because memory delivers more then; see reading_ahead.h.
template <VectorType kType>
void dot_as(const float* query, const VectorRows& rows, float* scores) {
  std::size_t r = 0;
  const bool long_rows = rows.dim * vector_type_bytes(kType) >= kLongRowBytes;
  for (; long_rows && r + kLongRowsAtOnce <= rows.count; r += kLongRowsAtOnce) {
    dot_group<kType, kLongRowsAtOnce>(query, rows.slice(r, kLongRowsAtOnce), scores + r);
  }
  for (; r < rows.count; ++r) dot_group<kType, 1>(query, rows.slice(r, 1), scores + r);
}

// One branch for a scan and not one for a row.
void dot(const float* query, const VectorRows& rows, float* scores) {
  switch (rows.type) {
    case VectorType::f32:
      return dot_as<VectorType::f32>(query, rows, scores);
    case VectorType::f16:
      return dot_as<VectorType::f16>(query, rows, scores);
    case VectorType::bf16:
      return dot_as<VectorType::bf16>(query, rows, scores);
    case VectorType::i8:
      return dot_as<VectorType::i8>(query, rows, scores);
  }
}

// Keeps the sums of all rows in registers while it walks over the depth.
template <std::size_t kVectors>
void multiply_as(const PanelProduct& product) {
  constexpr std::size_t kQuads = 2 * kVectors;  // registers of queries
  float32x4_t lanes[kBlockRows][kQuads];
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      lanes[r][q] = vld1q_f32(product.sums + (r * kQuads + q) * 4);
    }
  }
  for (std::size_t i = 0; i < product.depth; ++i) {
    ask_for(product.ahead + i * product.ahead_step);
    float32x4_t queries[kQuads];
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      queries[q] = vld1q_f32(product.packed + (i * kQuads + q) * 4);
    }
#pragma GCC unroll 6
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      const float value = product.block[r * kBlockStride + i];
#pragma GCC unroll 4
      for (std::size_t q = 0; q < kQuads; ++q) {
        lanes[r][q] = vfmaq_n_f32(lanes[r][q], queries[q], value);
      }
    }
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < kBlockRows; ++r) {
#pragma GCC unroll 4
    for (std::size_t q = 0; q < kQuads; ++q) {
      vst1q_f32(product.sums + (r * kQuads + q) * 4, lanes[r][q]);
    }
  }
}

// Decodes the next block before the product.
void multiply(const PanelProduct& product) {
  decode_block(product.meanwhile, decode);
  if (product.vectors == 2) return multiply_as<2>(product);
  multiply_as<1>(product);
}

}  // namespace

const DenseKernel kDenseNeon = {decode, dot, multiply, kLanes, kBlockRows};

}  // namespace fineprint::score

#endif

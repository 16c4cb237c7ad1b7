// Dot products in plain C++, written so that any compiler can use vector registers.
#include <algorithm>
#include <array>
#include <cstring>

#include "score/dense_kernels.h"
#include "score/vector_rows_scalar.h"

namespace fineprint::score {
namespace {

// A compiler may not regroup one chain of floating-point sums, but it can run eight chains next to
// each other.
constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlockRows = 4;

// memcpy, because stored rows may be at any address.
template <typename Convert>
void decode_halves(const std::uint8_t* values, std::size_t count, Convert convert, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, values + i * sizeof(bits), sizeof(bits));
    out[i] = convert(bits);
  }
}

void decode(VectorType type, const std::uint8_t* values, std::size_t count, float* out) {
  switch (type) {
    case VectorType::f32:
      if (count > 0) std::memcpy(out, values, count * sizeof(float));
      return;
    case VectorType::f16:
      return decode_halves(values, count, float_of_f16, out);
    case VectorType::bf16:
      return decode_halves(values, count, float_of_bf16, out);
    case VectorType::i8:
      for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<float>(static_cast<std::int8_t>(values[i]));
      }
  }
}

// Adds the products of `count` values. `count` is a multiple of kLanes except at the end of a row.
void add_products(const float* a, const float* b, std::size_t count,
                  std::array<float, kLanes>& sums) {
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t lane = 0; i < count; ++i, ++lane) sums[lane] += a[i] * b[i];
}

// Decodes in parts that stay in the first cache.
float dot_row(const float* query, const VectorRows& rows, std::size_t r) {
  constexpr std::size_t kPart = 512;
  std::array<float, kPart> part;
  std::array<float, kLanes> sums{};
  for (std::size_t i = 0; i < rows.dim; i += kPart) {
    const std::size_t count = std::min(kPart, rows.dim - i);
    decode(rows.type, rows.row(r) + i * vector_type_bytes(rows.type), count, part.data());
    add_products(query + i, part.data(), count, sums);
  }
  float total = 0;
  for (const float sum : sums) total += sum;
  return rows.type == VectorType::i8 ? total * rows.scales[r] : total;
}

// Row by row: which rows are scored together never changes a score.
void dot(const float* query, const VectorRows& rows, float* scores) {
  for (std::size_t r = 0; r < rows.count; ++r) scores[r] = dot_row(query, rows, r);
}

// The lanes are a local array, which compilers keep in registers.
void multiply(const PanelProduct& product) {
  decode_block(product.meanwhile, decode);
  const std::size_t width = product.vectors * kLanes;
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    for (std::size_t v = 0; v < product.vectors; ++v) {
      std::array<float, kLanes> lanes;
      float* target = product.sums + r * width + v * kLanes;
      std::copy_n(target, kLanes, lanes.begin());
      for (std::size_t i = 0; i < product.depth; ++i) {
        const float value = product.block[r * kBlockStride + i];
        const float* queries = product.packed + i * width + v * kLanes;
        for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += value * queries[lane];
      }
      std::copy_n(lanes.begin(), kLanes, target);
    }
  }
}

}  // namespace

const DenseKernel kDensePortable = {decode, dot, multiply, kLanes, kBlockRows};

}  // namespace fineprint::score

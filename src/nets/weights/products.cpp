// Multiplies by weights in the format in which memory holds them, on the CPU.
#include "nets/weights/products.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linear.h>

#include "nets/layers/parallel.h"
#include "nets/products/product.h"
#include "nets/weights/held_blocks.h"
#include "nets/weights/share_out.h"

namespace fineprint::nets {
namespace {

// With a float32 matrix, LibTorch multiplies if x has more rows than this: nothing needs widening
// then, and float32 models were compared with references by its results.
constexpr std::int64_t kMostFloatRows = 16;
// Only the four formats that MatrixFormat lists are held.
MatrixFormat format_of(const at::Tensor& values) {
  switch (values.scalar_type()) {
    case at::kBFloat16:
      return MatrixFormat::bfloat16;
    case at::kHalf:
      return MatrixFormat::float16;
    case at::kChar:
      return MatrixFormat::int8;
    default:
      return MatrixFormat::float32;
  }
}

// Returns a view of a held matrix for the kernels. int8 rows are padded, so columns are given.
StoredMatrix stored(const HeldMatrix& held, std::int64_t columns) {
  StoredMatrix matrix = {format_of(held.values), held.values.const_data_ptr(),
                         held.values.size(0),    columns,
                         held.values.size(1),    nullptr};
  if (held.scales.defined()) matrix.scales = held.scales.const_data_ptr<float>();
  return matrix;
}

// Quantises rows on LibTorch's threads, and adds up the error once for each piece.
HeldMatrix quantised(const at::Tensor& values, QuantisationLoss* loss) {
  const at::Tensor source = values.contiguous();
  const StoredMatrix from = stored({source, {}}, source.size(1));
  const std::int64_t wide = quantised_columns(from.columns);
  const HeldMatrix result = {at::empty({from.rows, wide}, at::kChar),
                             at::empty({from.rows, wide / kCodesPerScale}, at::kFloat)};
  auto* codes = result.values.mutable_data_ptr<std::int8_t>();
  auto* scales = result.scales.mutable_data_ptr<float>();
  std::mutex mutex;
  parallel_loop(0, from.rows, grain(from.columns, 1), [&](std::int64_t begin, std::int64_t end) {
    const QuantisationLoss part = quantise_rows(from, begin, end, codes, scales);
    const std::lock_guard lock(mutex);
    loss->squared_error += part.squared_error;
    loss->squares += part.squares;
  });
  return result;
}

// Returns x in the order that the kernels need. It is x itself if they need no other.
at::Tensor arranged(const at::Tensor& x, std::int64_t vectors, std::int64_t columns) {
  const std::int64_t size = arranged_size(vectors, columns);
  if (size == 0) return x;
  at::Tensor room = at::empty({size}, x.options());
  const float* from = x.const_data_ptr<float>();
  auto* to = room.mutable_data_ptr<float>();
  parallel_loop(0, arranged_groups(vectors), grain(8 * columns, 1),
                [&](std::int64_t begin, std::int64_t end) {
                  arrange_vectors(from, vectors, columns, begin, end, to);
                });
  return room;
}

// Writes the product to `y`, which is [vectors, out].
void multiply_with_rounded(const StoredMatrix& weight, const float* bias, const at::Tensor& x,
                           std::int64_t vectors, float* y) {
  const at::Tensor room =
      at::empty({rounded_size(vectors, weight.columns)}, x.options().dtype(at::kInt));
  auto* words = reinterpret_cast<std::uint32_t*>(room.mutable_data_ptr<int>());
  const float* from = x.const_data_ptr<float>();
  parallel_loop(0, rounded_groups(vectors), grain(8 * weight.columns, 1),
                [&](std::int64_t begin, std::int64_t end) {
                  round_vectors(from, vectors, weight.columns, begin, end, words);
                });
  const RoundedProduct product = {weight, words, vectors, bias, y};
  const std::int64_t panels = (weight.rows + kRoundedPanel - 1) / kRoundedPanel;
  parallel_loop(0, panels, grain(kRoundedPanel * weight.columns * vectors, 1),
                [&](std::int64_t begin, std::int64_t end) {
                  multiply_rounded(product, begin * kRoundedPanel,
                                   std::min(end * kRoundedPanel, weight.rows));
                });
}

at::Tensor multiply_in_library(const HeldMatrix& weight, const at::Tensor& bias,
                               const at::Tensor& x) {
  const at::Tensor y = at::linear(x.to(at::kBFloat16), weight.values).to(at::kFloat);
  // Added in float32: in the library's product it would be rounded to bfloat16.
  return bias.defined() ? y + bias : y;
}

}  // namespace

HeldMatrix hold_as(MatrixFormat format, const at::Tensor& values, QuantisationLoss* loss) {
  switch (format) {
    case MatrixFormat::float32:
      return {values.to(at::kFloat), {}};
    case MatrixFormat::bfloat16:
      return {values.to(at::kBFloat16), {}};
    case MatrixFormat::float16: {
      const at::Tensor half = values.to(at::kHalf);
      TORCH_CHECK(at::isfinite(half).all().item<bool>(),
                  "a weight is too large for float16; choose another --dtype");
      return {half, {}};
    }
    case MatrixFormat::int8:
      return quantised(values, loss);
  }
  return {values, {}};
}

// A float32 matrix is left to LibTorch if there are many rows; see kMostFloatRows.
bool can_multiply(const HeldMatrix& weight, const at::Tensor& x) {
  if (!x.is_cpu() || x.scalar_type() != at::kFloat || !weight.values.is_cpu() ||
      weight.values.dim() != 2 || !weight.values.is_contiguous()) {
    return false;
  }
  const at::ScalarType type = weight.values.scalar_type();
  if (type == at::kFloat) return x.numel() <= kMostFloatRows * x.size(-1);
  return type == at::kBFloat16 || type == at::kHalf || type == at::kChar || weight.codec;
}

at::Tensor multiply(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  const std::int64_t columns = shape.back();
  shape.back() = weight.values.size(0);
  at::Tensor y = at::empty(shape, x.options());
  const std::int64_t vectors = columns == 0 ? 0 : x.numel() / columns;
  if (weight.codec) {
    multiply_blocks(weight, bias, x, y);
    return y;
  }
  TORCH_CHECK(weight.scales.defined() ? quantised_columns(columns) == weight.values.size(1)
                                      : columns == weight.values.size(1),
              "a product of ", x.sizes(), " and a matrix of ", weight.values.sizes());
  if (vectors == 0) return y;
  // The order matters: the library is fastest for many rows, and rounding is worth it only from
  // some rows on.
  if (weight.rounding == Rounding::bfloat16_and_results && vectors >= kLeastForLibrary) {
    return multiply_in_library(weight, bias, x);
  }
  const float* add = bias.defined() ? bias.const_data_ptr<float>() : nullptr;
  if (weight.rounding != Rounding::none && vectors >= kLeastRounded) {
    multiply_with_rounded(stored(weight, columns), add, x.contiguous(), vectors,
                          y.mutable_data_ptr<float>());
    return y;
  }
  const at::Tensor rows = arranged(x.contiguous(), vectors, columns);
  const Product product = {stored(weight, columns), rows.const_data_ptr<float>(), vectors, add,
                           y.mutable_data_ptr<float>()};
  const std::int64_t row_bytes = product.weight.row_values * value_bytes(product.weight.format);
  // kPieceBytes says why pieces must not be too small.
  share_out(product.weight.rows, kPieceBytes / std::max<std::int64_t>(1, row_bytes) + 1,
            [&](std::int64_t begin, std::int64_t end) { multiply_rows(product, begin, end); });
  return y;
}

at::Tensor held_rows(const HeldMatrix& table, std::int64_t columns, const at::Tensor& index) {
  if (table.codec) return block_rows(table, index);
  const at::Tensor ids = index.contiguous();
  const auto* id = ids.const_data_ptr<std::int64_t>();
  at::Tensor rows = at::empty({ids.size(0), columns}, at::kFloat);
  auto* out = rows.mutable_data_ptr<float>();
  const StoredMatrix matrix = stored(table, columns);
  for (std::int64_t i = 0; i < ids.size(0); ++i) {
    TORCH_CHECK_INDEX(id[i] >= 0 && id[i] < matrix.rows, "row ", id[i], " of ", matrix.rows);
    widen(matrix, id[i], out + i * columns);
  }
  return rows;
}

}  // namespace fineprint::nets

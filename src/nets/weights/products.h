// Products and look-ups with weights in the format in which memory holds them, on the CPU.
#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "fineprint/nets/trained.h"

#include "nets/products/blocks/codec.h"
#include "nets/products/quantise.h"
#include "nets/products/rounded.h"

namespace fineprint::nets {

// A matrix [rows, columns] in the format in which it stays in memory.
struct HeldMatrix {
  at::Tensor values;  // int8: codes [rows, columns rounded up]; blocks: bytes [rows, row size]
  at::Tensor scales;  // int8 and codecs with groups: [rows, groups]; else undefined
  // Rounding of x if it has enough rows to be worth it; only for bfloat16 matrices.
  Rounding rounding = Rounding::none;
  // Set if `values` are blocks of codes, which may start at any address; see held_blocks.h.
  std::optional<Codec> codec = {};
  at::Tensor leasts = {};  // codecs with groups: [rows, groups]; else undefined
  // The low-rank change that training adds to the product.
  std::optional<LinearChange> change = {};
};

// Fewer rows of x than these are not rounded. The product takes as long as reading the matrix does,
// so rounding would gain nothing; and the tokens of a reply keep full precision unless a prompt is
// read in the same step.
constexpr std::int64_t kLeastRounded = 16;
// LibTorch's library copies the matrix into its own order for every product. With fewer rows of x
// than these, the kernels here are faster.
constexpr std::int64_t kLeastForLibrary = 64;

// Converts a matrix to another format. Throws c10::Error if float16 cannot hold a value. Adds the
// error of int8 to `loss`.
HeldMatrix hold_as(MatrixFormat format, const at::Tensor& values, QuantisationLoss* loss);

// Returns true if `multiply` can take x: float32 on the CPU, with the matrix there too, and at most
// 16 rows if the matrix is also float32.
bool can_multiply(const HeldMatrix& weight, const at::Tensor& x);
// Returns x W^T + b: [..., in] -> [..., out]. Runs on the caller's LibTorch threads. Each row of x
// gives the same bits as if it were alone. Blocks multiply rows that are rounded to codes of eight
// bits (quantise_vectors); other matrices multiply exactly, with two exceptions: kLeastRounded or
// more rows are rounded first if the matrix says so, and kLeastForLibrary or more are left to
// LibTorch's library if it says bfloat16_and_results, whose order of sums is its own. `bias` may be
// undefined.
at::Tensor multiply(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x);

// Returns the rows `index` [n] of a matrix on the CPU, in float32: [n, columns].
at::Tensor held_rows(const HeldMatrix& table, std::int64_t columns, const at::Tensor& index);

}  // namespace fineprint::nets

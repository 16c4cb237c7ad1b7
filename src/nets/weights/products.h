// Products and look-ups with weights as they are held, on the CPU.
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
  at::Tensor values;  // int8: codes [rows, columns rounded up]; in blocks: bytes [rows, of a row]
  at::Tensor scales;  // int8 and codecs with groups: [rows, groups]; else undefined
  // Of x, where enough rows of it make that worth while: bfloat16 matrices only.
  Rounding rounding = Rounding::none;
  // Values are blocks of codes, which may lie at any address; see held_blocks.h.
  std::optional<Codec> codec = {};
  at::Tensor leasts = {};  // codecs with groups: [rows, groups]; else undefined
  // What a training adds to the product.
  std::optional<LinearChange> change = {};
};

// Fewer rows of x are multiplied as they are: a matrix that is read once for so few takes as long
// as its memory does, and a reply's tokens, unless a prompt is read beside them, lose nothing.
constexpr std::int64_t kLeastRounded = 16;
// LibTorch's library copies the matrix into its own order for every product: fewer rows of x than
// these are faster without.
constexpr std::int64_t kLeastForLibrary = 64;

// The same values in another format. Throws c10::Error when float16 cannot hold one of them. What
// int8 costs is added to `loss`.
HeldMatrix hold_as(MatrixFormat format, const at::Tensor& values, QuantisationLoss* loss);

// Whether x is for `multiply`: float32 on the CPU, with a matrix there, and no more than 16 rows if
// that is float32 too.
bool can_multiply(const HeldMatrix& weight, const at::Tensor& x);
// x W^T + b: [..., in] -> [..., out], on LibTorch's threads of the caller. Each row of x is
// multiplied as if it were alone, to the last bit: by blocks after it is rounded to codes of eight
// bits (quantise_vectors), by other matrices exactly, except that kLeastRounded or more of them are
// rounded first where the matrix says so, and kLeastForLibrary or more left to LibTorch's library
// if it says bfloat16_and_results, whose order of sums is its own. `bias` may be undefined.
at::Tensor multiply(const HeldMatrix& weight, const at::Tensor& bias, const at::Tensor& x);

// Rows `index` [n] of a matrix on the CPU in float32, [n, columns].
at::Tensor held_rows(const HeldMatrix& table, std::int64_t columns, const at::Tensor& index);

}  // namespace fineprint::nets

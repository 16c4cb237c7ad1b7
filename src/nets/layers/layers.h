// The small layers that every network here is made of.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/weights/weights.h"

namespace fineprint::nets {

struct Linear {
  HeldMatrix weight;  // [out, in]
  at::Tensor bias;    // [out], or undefined
};

// The tensors NAME.weight and, where the model has it, NAME.bias.
Linear take_linear(const PartWeights& weights, const std::string& name);
// [..., in] -> [..., out]. The kernel is chosen here: gradients go through where something is
// trained. On the CPU each row is multiplied as if it were alone, to the last bit;
// with float32 weights or where x is rounded, among up to 16 rows.
at::Tensor apply(const Linear& layer, const at::Tensor& x);

// A table whose rows are looked up: embeddings, which a tied head multiplies by as well.
struct Table {
  Linear rows;  // [count, width], no bias
  std::int64_t width = 0;
};
// The tensor NAME.weight.
Table take_table(const PartWeights& weights, const std::string& name);
// Rows `index` [n], on the table's device and in the format of activations there; [n, width].
at::Tensor look_up(const Table& table, const at::Tensor& index);

struct Norm {
  models::NormKind kind = models::NormKind::layer;
  at::Tensor weight;  // [width]
  at::Tensor bias;    // [width], or undefined
  double eps = 1e-6;
};

Norm take_norm(const PartWeights& weights, const std::string& name, models::NormKind kind,
               double eps);
// Over the last dimension. Sources: Ba et al., "Layer Normalization" (2016), equation 3; Zhang and
// Sennrich, "Root Mean Square Layer Normalization" (2019), equation 4.
at::Tensor apply(const Norm& norm, const at::Tensor& x);

// In place; returns its argument.
at::Tensor activate(models::Activation activation, at::Tensor x);

// down(act(up(x))), or with a gate down(act(gate(x)) * up(x)).
// Source: Shazeer, "GLU Variants Improve Transformer" (2020), section 2.
struct FeedForward {
  models::Activation activation = models::Activation::silu;
  Linear gate;  // undefined without a gate
  Linear up, down;
};
at::Tensor apply(const FeedForward& layer, const at::Tensor& x);

// Rows of unit length in float32; [n, width].
at::Tensor unit_rows(const at::Tensor& x);

}  // namespace fineprint::nets

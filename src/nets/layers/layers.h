// The basic layers of all networks: linear, embedding, norm, activation and feed-forward.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/weights/weights.h"

namespace fineprint::nets {

// A linear layer: x W^T + b.
struct Linear {
  HeldMatrix weight;  // [out, in]
  at::Tensor bias;    // [out], or undefined
};

// Returns the layer of the tensors NAME.weight and, if the model has it, NAME.bias.
Linear take_linear(const WeightScope& weights, const std::string& name);
// Returns [..., out] for x [..., in]. Chooses the kernel: gradients pass through if something is
// trained. On the CPU, each row of x gives the same bits as if it were alone, so that results do
// not depend on which calls run together. Exceptions: with float32 weights or if x is rounded, this
// holds only among up to 16 rows.
at::Tensor apply(const Linear& layer, const at::Tensor& x);

// A table of rows to look up. These are embeddings; a tied head also multiplies by them.
struct Table {
  Linear rows;  // [count, width], no bias
  std::int64_t width = 0;
};
// Returns the table of the tensor NAME.weight.
Table take_table(const WeightScope& weights, const std::string& name);
// Returns the rows `index` [n] as [n, width], on the table's device and in the format of
// activations there.
at::Tensor look_up(const Table& table, const at::Tensor& index);

// A layer norm or an RMS norm.
struct Norm {
  models::NormKind kind = models::NormKind::layer;
  at::Tensor weight;  // [width]
  at::Tensor bias;    // [width], or undefined
  double eps = 1e-6;
};

// Returns the norm of the tensors NAME.weight and, if the model has it, NAME.bias.
Norm take_norm(const WeightScope& weights, const std::string& name, models::NormKind kind,
               double eps);
// Normalises over the last dimension. Sources: Ba et al., "Layer Normalization" (2016), equation 3;
// Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019), equation 4.
at::Tensor apply(const Norm& norm, const at::Tensor& x);

// Changes `x` in place and returns it.
at::Tensor activate(models::Activation activation, at::Tensor x);

// Computes down(act(up(x))), or with a gate down(act(gate(x)) * up(x)).
// Source: Shazeer, "GLU Variants Improve Transformer" (2020), section 2.
struct FeedForward {
  models::Activation activation = models::Activation::silu;
  Linear gate;  // undefined without a gate
  Linear up, down;
};
// Returns the layer's output [..., width] for x of the same shape.
at::Tensor apply(const FeedForward& layer, const at::Tensor& x);

// Scales each row to unit length in float32; [n, width].
at::Tensor unit_rows(const at::Tensor& x);

}  // namespace fineprint::nets

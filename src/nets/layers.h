// The small layers that every network here is made of.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/weights.h"

namespace fineprint::nets {

struct Linear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out], or undefined
};

// The tensors NAME.weight and, where the model has it, NAME.bias.
Linear take_linear(const PartWeights& weights, const std::string& name);
// [..., in] -> [..., out]
at::Tensor apply(const Linear& layer, const at::Tensor& x);

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

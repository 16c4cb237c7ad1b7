// A layer of CLIP's and SigLIP's towers, of any size of images.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// The weights of one layer.
struct SiglipLayer {
  Norm attention_norm, feed_norm;
  Linear query, key, value, attention_output;
  FeedForward feed;
};

SiglipLayer take_siglip_layer(const WeightScope& weights, models::Activation activation,
                              double norm_eps);

// Returns the states after the layer for states x [n, T, hidden]; each of n images is alone.
// Source: Dosovitskiy et al., "ViT" (2021), equations 2 and 3.
at::Tensor run_layer(const SiglipLayer& layer, int heads, const at::Tensor& x);

}  // namespace fineprint::nets

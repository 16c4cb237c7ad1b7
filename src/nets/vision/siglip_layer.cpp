// Runs a layer of CLIP's and SigLIP's towers.
#include "nets/vision/siglip_layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include "nets/layers/attention.h"

namespace fineprint::nets {
namespace {

at::Tensor attend_patches(const SiglipLayer& layer, int heads, const at::Tensor& x) {
  const auto by_head = [&](const Linear& projection) {  // [n, T, hidden] -> [n, heads, T, d]
    return apply(projection, x).view({x.size(0), x.size(1), heads, -1}).transpose(1, 2);
  };
  const at::Tensor query = by_head(layer.query), key = by_head(layer.key),
                   value = by_head(layer.value);
  // attend() takes one sequence and has faster kernels on the CPU.
  if (x.size(0) == 1) {
    const at::Tensor attended = attend(query[0], key[0], value[0], Mask::none);  // [T, hidden]
    return apply(layer.attention_output, attended.view(x.sizes()));
  }
  const at::Tensor attended = at::scaled_dot_product_attention(query, key, value);
  return apply(layer.attention_output, attended.transpose(1, 2).reshape(x.sizes()));
}

}  // namespace

SiglipLayer take_siglip_layer(const WeightScope& weights, models::Activation activation,
                              double norm_eps) {
  const WeightScope attention = weights["self_attn"], feed = weights["mlp"];
  const auto norm = [&](const char* name) {
    return take_norm(weights, name, models::NormKind::layer, norm_eps);
  };
  return {norm("layer_norm1"),
          norm("layer_norm2"),
          take_linear(attention, "q_proj"),
          take_linear(attention, "k_proj"),
          take_linear(attention, "v_proj"),
          take_linear(attention, "out_proj"),
          {activation, {}, take_linear(feed, "fc1"), take_linear(feed, "fc2")}};
}

at::Tensor run_layer(const SiglipLayer& layer, int heads, const at::Tensor& x) {
  const at::Tensor attended = x + attend_patches(layer, heads, apply(layer.attention_norm, x));
  return attended + apply(layer.feed, apply(layer.feed_norm, attended));
}

}  // namespace fineprint::nets

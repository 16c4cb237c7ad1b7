// The causal transformer that reads tokens and image features: Llama's layout and its relatives.
#include "nets/decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

namespace fineprint::nets {
namespace {

constexpr const char* kPart = "trunk";

Norm take_decoder_norm(const models::Decoder& spec, const PartWeights& weights,
                       const std::string& name) {
  Norm norm = take_norm(weights, name, models::NormKind::rms, spec.norm_eps);
  if (spec.norm_plus_one) norm.weight = norm.weight + 1;
  return norm;
}

DecoderLayer take_layer(const models::Decoder& spec, const PartWeights& weights) {
  const PartWeights attention = weights["self_attn"], feed = weights["mlp"];
  DecoderLayer layer;
  layer.attention_norm = take_decoder_norm(spec, weights, "input_layernorm");
  layer.feed_norm = take_decoder_norm(spec, weights, "post_attention_layernorm");
  layer.attention_output = take_linear(attention, "o_proj");
  layer.feed.activation = spec.activation;
  layer.feed.down = take_linear(feed, "down_proj");
  if (spec.fused) {
    layer.query_key_value = take_linear(attention, "qkv_proj");
    layer.gate_up = take_linear(feed, "gate_up_proj");
  } else {
    layer.query = take_linear(attention, "q_proj");
    layer.key = take_linear(attention, "k_proj");
    layer.value = take_linear(attention, "v_proj");
    layer.feed.gate = take_linear(feed, "gate_proj");
    layer.feed.up = take_linear(feed, "up_proj");
  }
  return layer;
}

}  // namespace

DecoderNet::DecoderNet(const models::Decoder& spec, const Weights& weights)
    : spec_(spec), options_(weights.device().options()) {
  const PartWeights trunk(weights, kPart);
  embeddings_ = trunk["embed_tokens"]("weight");
  for (int i = 0; i < spec.layers; ++i) {
    throw_if_interrupted();
    layers_.push_back(take_layer(spec, trunk[format("layers.{}", i)]));
  }
  final_norm_ = take_decoder_norm(spec, trunk, "norm");
}

std::unique_ptr<SequenceState> DecoderNet::new_state() const {
  return std::make_unique<KvState>(spec_.layers, spec_.kv_heads, spec_.head_dim, options_);
}

std::unique_ptr<SequenceState> DecoderNet::restore(std::span<const std::uint8_t> bytes) const {
  const KvState empty(spec_.layers, spec_.kv_heads, spec_.head_dim, options_);
  return KvState::restore(empty, bytes);
}

at::Tensor DecoderNet::embed(const std::vector<std::int64_t>& ids) const {
  const at::Tensor index = at::tensor(ids, at::kLong).to(embeddings_.device());
  const at::Tensor x = at::embedding(embeddings_, index);  // [T, hidden]
  if (spec_.embedding_scale == 1) return x;
  // The factor is rounded to the weights' format first, as in training.
  const at::Tensor scale = at::tensor(spec_.embedding_scale, at::kDouble).to(x.scalar_type());
  return x * scale.item().toDouble();
}

at::Tensor DecoderNet::read(at::Tensor x, const Positions& positions, SequenceState* state,
                            const Tap& tap) const {
  auto* kv = static_cast<KvState*>(state);
  kv->reserve(x.size(0));
  const Rotation rotation = decoder_rotation(spec_.rope, spec_.head_dim, positions, options_);
  for (int i = 0; i < spec_.layers; ++i) {
    const DecoderLayer& layer = layers_[i];
    x = attend_layer(layer, i, apply(layer.attention_norm, x), rotation, kv).add_(x);  // [T, h]
    x = feed_forward(layer, apply(layer.feed_norm, x)).add_(x);                        // [T, h]
    if (tap) tap(format("hidden.layer{}", i), x);
  }
  kv->advance(x.size(0));
  x = apply(final_norm_, x);
  if (tap) tap("hidden.final_norm", x);
  return x;
}

at::Tensor DecoderNet::attend_layer(const DecoderLayer& layer, int index, const at::Tensor& x,
                                    const Rotation& rotation, KvState* state) const {
  const std::int64_t tokens = x.size(0), d = spec_.head_dim;
  const auto by_head = [&](const at::Tensor& rows, std::int64_t heads) {
    return rows.view({tokens, heads, d}).transpose(0, 1);  // [T, heads * d] -> [heads, T, d]
  };
  at::Tensor query, key, value;
  if (spec_.fused) {
    const at::Tensor all = apply(layer.query_key_value, x).view({tokens, -1, d});
    query = all.narrow(1, 0, spec_.heads).transpose(0, 1);
    key = all.narrow(1, spec_.heads, spec_.kv_heads).transpose(0, 1);
    value = all.narrow(1, spec_.heads + spec_.kv_heads, spec_.kv_heads).transpose(0, 1);
  } else {
    query = by_head(apply(layer.query, x), spec_.heads);
    key = by_head(apply(layer.key, x), spec_.kv_heads);
    value = by_head(apply(layer.value, x), spec_.kv_heads);
  }
  const KvState::View seen = state->append(index, rotate(key, rotation), value);
  // A prompt that sees itself both ways is read in one piece, before anything else.
  const bool both_ways = spec_.prompt_bidirectional && state->length() == 0;
  return apply(layer.attention_output, attend(rotate(query, rotation), seen.keys, seen.values,
                                              both_ways ? Mask::none : Mask::causal));
}

at::Tensor DecoderNet::feed_forward(const DecoderLayer& layer, const at::Tensor& x) const {
  if (!spec_.fused) return apply(layer.feed, x);
  const at::Tensor both = apply(layer.gate_up, x);  // [T, 2 * intermediate]
  const std::int64_t width = both.size(1) / 2;
  at::Tensor opened = activate(spec_.activation, both.narrow(1, 0, width).contiguous());
  return apply(layer.feed.down, opened.mul_(both.narrow(1, width, width)));
}

}  // namespace fineprint::nets

// Runs a causal transformer over tokens and image features: Llama's layout and its relatives.
#include "nets/decoder/decoder.h"

#include <new>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "nets/decoder/decoder_norm.h"
#include "nets/decoder/full_attention.h"
#include "nets/decoder/gated_delta.h"
#include "nets/decoder/short_convolution.h"

namespace fineprint::nets {
namespace {

constexpr const char* kPart = "trunk";

// A decoder may mix kinds of layers, for example, three recurrent ones and then one with attention.
std::unique_ptr<Mixer> take_mixer(const models::Decoder& spec, int index, StatePlace place,
                                  const WeightScope& weights) {
  const models::LayerKind kind = spec.kind(index);
  if (kind == models::LayerKind::delta_rule) {
    return std::make_unique<GatedDelta>(spec, place, weights["linear_attn"]);
  }
  if (kind == models::LayerKind::short_convolution) {
    return std::make_unique<ShortConvolution>(spec, place, weights["conv"]);
  }
  const bool windowed = kind == models::LayerKind::windowed_attention;
  return std::make_unique<FullAttention>(
      spec, place, FullAttention::Kind{windowed ? spec.window : 0, spec.rotates(index)},
      weights["self_attn"]);
}

DecoderLayer take_decoder_layer(const models::Decoder& spec, int index, StatePlace place,
                                const WeightScope& weights) {
  const WeightScope feed = weights["mlp"];
  DecoderLayer layer;
  layer.mixer_norm = take_decoder_norm(spec, weights, "input_layernorm");
  if (spec.norms_behind) {
    // Gemma's layout: the name post_attention_layernorm means a norm of the output there, and the
    // norm before the feed-forward layer elsewhere.
    layer.behind_mixer = take_decoder_norm(spec, weights, "post_attention_layernorm");
    layer.feed_norm = take_decoder_norm(spec, weights, "pre_feedforward_layernorm");
    layer.behind_feed = take_decoder_norm(spec, weights, "post_feedforward_layernorm");
  } else {
    layer.feed_norm = take_decoder_norm(spec, weights, "post_attention_layernorm");
  }
  layer.mixer = take_mixer(spec, index, place, weights);
  if (spec.mixes_experts(index)) {
    layer.experts = std::make_unique<ExpertMixture>(spec, feed);
    return layer;
  }
  layer.feed.activation = spec.activation;
  layer.feed.down = take_linear(feed, "down_proj");
  if (spec.fused) {
    layer.gate_up = take_linear(feed, "gate_up_proj");
  } else {
    layer.feed.gate = take_linear(feed, "gate_proj");
    layer.feed.up = take_linear(feed, "up_proj");
  }
  return layer;
}

// Computed once in a step for all layers.
Rotation rotation_of(const models::Rope& rope, std::int64_t head_dim,
                     std::span<const DecoderPart> parts, const at::TensorOptions& options) {
  const std::int64_t width = rope.width > 0 ? rope.width : head_dim;
  std::vector<at::Tensor> cosines, sines;
  for (const DecoderPart& part : parts) {
    const Rotation one = decoder_rotation(rope, width, part.positions, options);
    cosines.push_back(one.cosine);
    sines.push_back(one.sine);
  }
  if (parts.size() == 1) return {cosines[0], sines[0]};
  return {at::cat(cosines), at::cat(sines)};
}

// Returns the factor of each token's queries, [T, 1], or an undefined tensor if there is none.
at::Tensor query_factors_of(const models::Decoder& spec, std::span<const DecoderPart> parts,
                            const at::TensorOptions& options) {
  if (spec.query_growth == 0) return {};
  std::vector<std::int64_t> periods;
  for (const DecoderPart& part : parts) {
    for (const std::int64_t at : part.positions.values[0]) {
      periods.push_back(1 + at / spec.query_growth_every);
    }
  }
  const at::Tensor logarithms = at::tensor(periods, at::kLong).to(at::kFloat).log_();
  return logarithms.mul_(spec.query_growth).add_(1).to(options).unsqueeze(1);
}

Rotations rotations_of(const models::Decoder& spec, std::span<const DecoderPart> parts,
                       const at::TensorOptions& options) {
  Rotations rotations{rotation_of(spec.rope, spec.head_dim, parts, options),
                      {},
                      query_factors_of(spec, parts, options)};
  if (spec.window > 0) {
    rotations.windowed = rotation_of(spec.window_rope, spec.head_dim, parts, options);
  }
  return rotations;
}

}  // namespace

DecoderNet::DecoderNet(const models::Decoder& spec, const Weights& weights)
    : spec_(spec), options_(weights.device().options()) {
  const WeightScope trunk(weights, kPart);
  embeddings_ = take_table(trunk, "embed_tokens");
  const std::vector<StatePlace> places = state_places(spec);
  for (int i = 0; i < spec.layers; ++i) {
    throw_if_interrupted();
    layers_.push_back(take_decoder_layer(spec, i, places[static_cast<std::size_t>(i)],
                                         trunk[format("layers.{}", i)]));
  }
  final_norm_ = take_decoder_norm(spec, trunk, "norm");
}

std::unique_ptr<SequenceState> DecoderNet::new_state() const {
  // Made late, because set_state_bytes is called after the constructor, and because models that
  // only encode never need it.
  std::call_once(memory_made_, [this] {
    memory_ = std::make_unique<StateMemory>(spec_, options_, state_bytes_);
  });
  return memory_->new_state();
}

at::Tensor DecoderNet::embed(const std::vector<std::int64_t>& ids) const {
  const at::Tensor index = at::tensor(ids, at::kLong).to(options_.device());
  const at::Tensor x = look_up(embeddings_, index);  // [T, hidden]
  if (spec_.embedding_scale == 1) return x;
  // The factor is rounded to the weights' number format first, as in training.
  const at::Tensor scale = at::tensor(spec_.embedding_scale, at::kDouble).to(x.scalar_type());
  return x * scale.item().toDouble();
}

at::Tensor DecoderNet::read(const DecoderInput& input, std::span<const DecoderPart> parts,
                            const Tap& tap) const {
  // All memory is reserved before anything is computed, so that a step that lacks memory costs
  // nothing and changes nothing.
  for (const DecoderPart& part : parts) {
    if (part.state != nullptr && !part.state->reserve(part.tokens())) throw std::bad_alloc();
  }
  const Rotations rotations = rotations_of(spec_, parts, options_);
  at::Tensor x = input.embeddings;
  for (int i = 0; i < spec_.layers; ++i) {
    const DecoderLayer& layer = layers_[i];
    at::Tensor mixed = layer.mixer->mix(apply(layer.mixer_norm, x), rotations, parts);  // [T, h]
    if (layer.behind_mixer) mixed = apply(*layer.behind_mixer, mixed);
    x = add_scaled(mixed, x);
    at::Tensor fed = feed_forward(layer, apply(layer.feed_norm, x));  // [T, h]
    if (layer.behind_feed) fed = apply(*layer.behind_feed, fed);
    x = add_scaled(fed, x);
    if (tap) tap(format("hidden.layer{}", i), x);
    if (i < input.layers_added_to()) x = x.index_add(0, input.slots, input.added[i]);
  }
  x = apply(final_norm_, x);
  if (tap) tap("hidden.final_norm", x);
  return x;
}

// Changes `output` in place.
at::Tensor DecoderNet::add_scaled(at::Tensor output, const at::Tensor& x) const {
  if (spec_.residual_scale != 1) output.mul_(spec_.residual_scale);
  return output.add_(x);
}

at::Tensor DecoderNet::feed_forward(const DecoderLayer& layer, const at::Tensor& x) const {
  if (layer.experts) return layer.experts->feed(x);
  if (!spec_.fused) return apply(layer.feed, x);
  const at::Tensor both = apply(layer.gate_up, x);  // [T, 2 * intermediate]
  const std::int64_t width = both.size(1) / 2;
  at::Tensor opened = activate(spec_.activation, both.narrow(1, 0, width).contiguous());
  return apply(layer.feed.down, opened.mul_(both.narrow(1, width, width)));
}

}  // namespace fineprint::nets

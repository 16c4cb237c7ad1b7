// The causal transformer that reads tokens and image features: Llama's layout and its relatives.
#include "nets/decoder.h"

#include <new>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
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

DecoderLayer take_decoder_layer(const models::Decoder& spec, const PartWeights& weights) {
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

Rotation rotation_of(const models::Decoder& spec, std::span<const DecoderPart> parts,
                     const at::TensorOptions& options) {
  std::vector<at::Tensor> cosines, sines;
  for (const DecoderPart& part : parts) {
    const Rotation one = decoder_rotation(spec.rope, spec.head_dim, part.positions, options);
    cosines.push_back(one.cosine);
    sines.push_back(one.sine);
  }
  if (parts.size() == 1) return {cosines[0], sines[0]};
  return {at::cat(cosines), at::cat(sines)};
}

// The first `prompt` tokens see each other, those behind them only what is before them.
at::Tensor attend_both_ways(std::int64_t prompt, const at::Tensor& query, const at::Tensor& key,
                            const at::Tensor& value) {
  const std::int64_t tokens = query.size(1);
  if (prompt >= tokens) return attend(query, key, value, Mask::none);
  const auto of_prompt = [&](const at::Tensor& x) { return x.narrow(1, 0, prompt); };
  return at::cat(
      {attend(of_prompt(query), of_prompt(key), of_prompt(value), Mask::none),
       attend(query.narrow(1, prompt, tokens - prompt), key, value, Mask::causal)});  // [T, h * d]
}

}  // namespace

DecoderNet::DecoderNet(const models::Decoder& spec, const Weights& weights)
    : spec_(spec), options_(weights.device().options()) {
  const PartWeights trunk(weights, kPart);
  embeddings_ = take_table(trunk, "embed_tokens");
  for (int i = 0; i < spec.layers; ++i) {
    throw_if_interrupted();
    layers_.push_back(take_decoder_layer(spec, trunk[format("layers.{}", i)]));
  }
  final_norm_ = take_decoder_norm(spec, trunk, "norm");
}

KvShape DecoderNet::kv_shape() const {
  return {spec_.layers, spec_.kv_heads, spec_.head_dim, options_};
}

std::unique_ptr<SequenceState> DecoderNet::new_state() const {
  std::call_once(memory_made_, [this] {
    const std::int64_t tokens = room_for_tokens(kv_shape(), state_bytes_, spec_.max_positions);
    memory_ = std::make_shared<KvMemory>(kv_shape(), tokens);
  });
  return std::make_unique<KvState>(memory_);
}

at::Tensor DecoderNet::embed(const std::vector<std::int64_t>& ids) const {
  const at::Tensor index = at::tensor(ids, at::kLong).to(options_.device());
  const at::Tensor x = look_up(embeddings_, index);  // [T, hidden]
  if (spec_.embedding_scale == 1) return x;
  // The factor is rounded to the weights' format first, as in training.
  const at::Tensor scale = at::tensor(spec_.embedding_scale, at::kDouble).to(x.scalar_type());
  return x * scale.item().toDouble();
}

at::Tensor DecoderNet::read(at::Tensor x, std::span<const DecoderPart> parts,
                            const Tap& tap) const {
  for (const DecoderPart& part : parts) {
    if (part.state != nullptr && !part.state->reserve(part.tokens())) throw std::bad_alloc();
  }
  const Rotation rotation = rotation_of(spec_, parts, options_);
  for (int i = 0; i < spec_.layers; ++i) {
    const DecoderLayer& layer = layers_[i];
    x = attend_layer(layer, i, apply(layer.attention_norm, x), rotation, parts).add_(x);  // [T, h]
    x = feed_forward(layer, apply(layer.feed_norm, x)).add_(x);                           // [T, h]
    if (tap) tap(format("hidden.layer{}", i), x);
  }
  x = apply(final_norm_, x);
  if (tap) tap("hidden.final_norm", x);
  for (const DecoderPart& part : parts) {
    if (part.state != nullptr) static_cast<KvState*>(part.state)->advance(part.tokens());
  }
  return x;
}

at::Tensor DecoderNet::attend_layer(const DecoderLayer& layer, int index, const at::Tensor& x,
                                    const Rotation& rotation,
                                    std::span<const DecoderPart> parts) const {
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
  query = rotate(query, rotation);
  key = rotate(key, rotation);
  std::vector<at::Tensor> attended;
  std::int64_t begin = 0;
  for (const DecoderPart& part : parts) {
    attended.push_back(attend_part(index, part, query.narrow(1, begin, part.tokens()),
                                   key.narrow(1, begin, part.tokens()),
                                   value.narrow(1, begin, part.tokens())));
    begin += part.tokens();
  }
  return apply(layer.attention_output, parts.size() == 1 ? attended[0] : at::cat(attended));
}

at::Tensor DecoderNet::attend_part(int index, const DecoderPart& part, const at::Tensor& query,
                                   const at::Tensor& key, const at::Tensor& value) const {
  auto* state = static_cast<KvState*>(part.state);
  const bool first = state == nullptr || state->length() == 0;
  if (state != nullptr) state->append(index, key, value);
  if (spec_.prompt_bidirectional && first) return attend_both_ways(part.prompt, query, key, value);
  if (state == nullptr) return attend(query, key, value, Mask::causal);
  const std::int64_t seen = state->length() + part.tokens();
  if (part.tokens() == 1 && query.is_cpu() && query.scalar_type() == at::kFloat) {
    return state->attend(index, query, seen);
  }
  const KvState::View view = state->view(index, seen);
  return attend(query, view.keys, view.values, Mask::causal);
}

at::Tensor DecoderNet::feed_forward(const DecoderLayer& layer, const at::Tensor& x) const {
  if (!spec_.fused) return apply(layer.feed, x);
  const at::Tensor both = apply(layer.gate_up, x);  // [T, 2 * intermediate]
  const std::int64_t width = both.size(1) / 2;
  at::Tensor opened = activate(spec_.activation, both.narrow(1, 0, width).contiguous());
  return apply(layer.feed.down, opened.mul_(both.narrow(1, width, width)));
}

}  // namespace fineprint::nets

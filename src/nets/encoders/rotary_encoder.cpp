// Runs text encoders with rotary positions.
#include "nets/encoders/rotary_encoder.h"

#include <algorithm>
#include <numeric>

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include "fineprint/core/format.h"

#include "nets/layers/attention.h"
#include "nets/layers/window_attention.h"

namespace fineprint::nets {
namespace {

// Positions restart in every sequence. `extent` is the longest one.
Positions places_of(const PackedTokens& tokens) {
  std::vector<std::int64_t> places(tokens.ids.size());
  std::int64_t longest = 0;
  for (std::size_t s = 0; s < tokens.sequences(); ++s) {
    std::iota(places.begin() + tokens.offsets[s], places.begin() + tokens.offsets[s + 1], 0);
    longest = std::max(longest, tokens.offsets[s + 1] - tokens.offsets[s]);
  }
  return {{places, places, places}, longest};
}

}  // namespace

RotaryEncoderNet::RotaryEncoderNet(const models::RotaryEncoder& spec, const Weights& weights)
    : spec_(spec) {
  const WeightScope trunk(weights, "trunk"), embeddings = trunk["embeddings"];
  embeddings_ = take_table(embeddings, "tok_embeddings");
  if (spec.added_tokens > 0) {
    added_embeddings_ = embeddings["tok_embeddings"]["additional_embedding"]("weight");
  }
  if (spec.type_vocab_size > 0) type_embeddings_ = embeddings["token_type_embeddings"]("weight");
  embedding_norm_ = norm(embeddings, "norm");
  for (int i = 0; i < spec.layers; ++i) {
    const WeightScope from = trunk[format("layers.{}", i)];
    Layer layer{.attention_norm = {},
                .qkv = take_linear(from["attn"], "Wqkv"),
                .attention_output = take_linear(from["attn"], "Wo"),
                .feed_norm = norm(from, "mlp_norm"),
                .gate = spec.fused ? Linear{} : take_linear(from["mlp"], "gate"),
                .up = take_linear(from["mlp"], "Wi"),
                .down = take_linear(from["mlp"], "Wo"),
                .windowed = spec.windowed(i)};
    // ModernBERT's first layer has no norm, because the embeddings have just been normed.
    if (!spec.norm_first || i > 0) layer.attention_norm = norm(from, "attn_norm");
    layers_.push_back(std::move(layer));
  }
  if (spec.norm_first) final_norm_ = norm(trunk, "final_norm");
}

Norm RotaryEncoderNet::norm(const WeightScope& weights, const std::string& name) const {
  return take_norm(weights, name, models::NormKind::layer, spec_.norm_eps);
}

at::Tensor RotaryEncoderNet::look_up_tokens(const std::vector<std::int64_t>& ids) const {
  const at::Tensor index =
      at::tensor(ids, at::kLong).to(embeddings_.rows.weight.values.device());  // [T]
  if (!added_embeddings_.defined()) return look_up(embeddings_, index);
  // Each token has a row in one of the tables; the row of the other one is dropped.
  const std::int64_t first = spec_.vocab_size;
  const at::Tensor rows = look_up(embeddings_, index.clamp_max(first - 1));
  const at::Tensor added = at::embedding(added_embeddings_, (index - first).clamp_min(0));
  return at::where((index >= first).unsqueeze(1), added.to(rows.options()), rows);
}

// Pages come in through `read` with features in their slots; texts come in here.
at::Tensor RotaryEncoderNet::forward(const PackedTokens& tokens, const Tap& tap) const {
  return read(look_up_tokens(tokens.ids), tokens, tap);
}

at::Tensor RotaryEncoderNet::read(const at::Tensor& embeddings, const PackedTokens& tokens,
                                  const Tap& tap) const {
  at::Tensor x = embeddings;  // [T, hidden]
  if (type_embeddings_.defined()) {
    const std::vector<std::int64_t> types =
        tokens.types.empty() ? std::vector<std::int64_t>(tokens.ids.size()) : tokens.types;
    x = x + at::embedding(type_embeddings_, at::tensor(types, at::kLong).to(x.device()));
  }
  x = apply(embedding_norm_, x);
  if (tap) tap("hidden0", x);
  const std::int64_t head_dim = spec_.hidden / spec_.heads;
  const Positions places = places_of(tokens);
  const Rotation wide = decoder_rotation(spec_.rope, head_dim, places, x.options());
  Rotation near;
  if (std::ranges::find(layers_, true, &Layer::windowed) != layers_.end()) {
    near = decoder_rotation(spec_.window_rope, head_dim, places, x.options());
  }
  int number = 0;
  for (const Layer& layer : layers_) {
    const Rotation& rotation = layer.windowed ? near : wide;
    if (spec_.norm_first) {
      const at::Tensor read = layer.attention_norm ? apply(*layer.attention_norm, x) : x;
      x = x + attend(layer, read, tokens, rotation);
      x = x + feed(layer, apply(layer.feed_norm, x));
    } else {
      x = apply(*layer.attention_norm, attend(layer, x, tokens, rotation).add_(x));
      x = apply(layer.feed_norm, feed(layer, x).add_(x));
    }
    if (tap) tap(format("hidden{}", ++number), x);
  }
  return final_norm_ ? apply(*final_norm_, x) : x;
}

at::Tensor RotaryEncoderNet::attend(const Layer& layer, const at::Tensor& x,
                                    const PackedTokens& tokens, const Rotation& rotation) const {
  const std::int64_t total = x.size(0), heads = spec_.heads, head_dim = spec_.hidden / heads;
  const at::Tensor all = apply(layer.qkv, x).view({total, 3, heads, head_dim});
  const auto by_head = [&](std::int64_t which) { return all.select(1, which).transpose(0, 1); };
  const at::Tensor query = rotate(by_head(0), rotation);  // [heads, T, d]
  const at::Tensor key = rotate(by_head(1), rotation);
  const at::Tensor value = by_head(2);
  at::Tensor attended = at::empty({total, heads * head_dim}, x.options());
  for (std::size_t s = 0; s < tokens.sequences(); ++s) {
    const std::int64_t begin = tokens.offsets[s], length = tokens.offsets[s + 1] - begin;
    const std::int64_t seen = tokens.attended.empty() ? length : tokens.attended[s];
    const auto slice_of_sequence = [&](const at::Tensor& rows) {
      return rows.narrow(1, begin, length);
    };
    at::Tensor result;
    if (layer.windowed) {
      result = attend_window(slice_of_sequence(query), slice_of_sequence(key),
                             slice_of_sequence(value), spec_.window, seen);
    } else {
      result = nets::attend(slice_of_sequence(query), key.narrow(1, begin, seen),
                            value.narrow(1, begin, seen), Mask::none);
    }
    attended.narrow(0, begin, length).copy_(result);
  }
  return apply(layer.attention_output, attended);  // [T, hidden]
}

// The fused matrix holds gate and up in an order that differs between models.
at::Tensor RotaryEncoderNet::feed(const Layer& layer, const at::Tensor& x) const {
  if (!spec_.fused) {
    return apply(FeedForward{spec_.activation, layer.gate, layer.up, layer.down}, x);
  }
  const at::Tensor both = apply(layer.up, x);  // [T, 2 * intermediate]
  const std::int64_t width = spec_.intermediate;
  const at::Tensor gate = both.narrow(1, spec_.gate_first ? 0 : width, width);
  const at::Tensor up = both.narrow(1, spec_.gate_first ? width : 0, width);
  return apply(layer.down, activate(spec_.activation, gate.contiguous()).mul_(up));
}

}  // namespace fineprint::nets

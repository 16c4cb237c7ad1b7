// Runs text encoders with rotary positions.
#include "nets/encoders/rotary_encoder.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

// Attends without a mask but with an optional bias. query is [heads, T, d], key and value are
// [heads, S, d]. Returns [T, heads, d].
at::Tensor attend_rows(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                       const std::optional<at::Tensor>& bias) {
  return at::scaled_dot_product_attention(query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0),
                                          bias)
      .squeeze(0)
      .transpose(0, 1);
}

// Returns 0 where a query sees a key and -inf elsewhere, for queries [from, from + count) and keys
// from `first` on.
at::Tensor window_bias(std::int64_t from, std::int64_t count, std::int64_t first, std::int64_t keys,
                       std::int64_t window, const at::TensorOptions& options) {
  const at::Tensor rows = at::arange(from, from + count, options).unsqueeze(1);
  const at::Tensor columns = at::arange(first, first + keys, options).unsqueeze(0);
  const at::Tensor apart = (rows - columns).abs();  // [count, keys]
  return at::where(apart <= static_cast<double>(window), at::zeros({}, options),
                   at::zeros({}, options).fill_(-std::numeric_limits<double>::infinity()));
}

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

at::Tensor attend_window(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         std::int64_t window, std::int64_t seen) {
  const std::int64_t total = query.size(1);
  at::Tensor result = at::empty({total, query.size(0), query.size(2)}, query.options());
  // So many queries at a time that they see about as many keys on each side as they are themselves.
  const std::int64_t step = std::max<std::int64_t>(window, 16);
  // Positions are compared as float32, which represents every position of a sequence exactly.
  const auto options = at::TensorOptions(query.device()).dtype(at::kFloat);
  for (std::int64_t from = 0; from < total; from += step) {
    const std::int64_t count = std::min(step, total - from);
    const std::int64_t first = std::max<std::int64_t>(0, from - window);
    const std::int64_t keys =
        std::max<std::int64_t>(0, std::min(seen, from + count + window) - first);
    // Most blocks at the edges see all of their keys, and then a bias would cost time for nothing.
    const bool all_seen = from + count - 1 - window <= first && first + keys - 1 <= from + window;
    std::optional<at::Tensor> bias;
    if (!all_seen) {
      bias = window_bias(from, count, first, keys, window, options).to(query.scalar_type());
    }
    result.narrow(0, from, count)
        .copy_(attend_rows(query.narrow(1, from, count), key.narrow(1, first, keys),
                           value.narrow(1, first, keys), bias));
  }
  return result.view({total, query.size(0) * query.size(2)});
}

RotaryEncoderNet::RotaryEncoderNet(const models::RotaryEncoder& spec, const Weights& weights)
    : spec_(spec) {
  const WeightScope trunk(weights, "trunk"), embeddings = trunk["embeddings"];
  embeddings_ = take_table(embeddings, "tok_embeddings");
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
  return look_up(embeddings_,
                 at::tensor(ids, at::kLong).to(embeddings_.rows.weight.values.device()));
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
      result = attend_rows(slice_of_sequence(query), key.narrow(1, begin, seen),
                           value.narrow(1, begin, seen), {})
                   .reshape({length, heads * head_dim});
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

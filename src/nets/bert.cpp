// The BERT encoder over sequences laid end to end, so that no padding is ever computed.
#include "nets/bert.h"

#include <numeric>

#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>

namespace fineprint::nets {
namespace {

Linear take_linear(Weights* weights, const std::string& name, std::int64_t in, std::int64_t out) {
  return {weights->take(name + ".weight", {out, in}), weights->take(name + ".bias", {out})};
}

LayerNorm take_norm(Weights* weights, const std::string& name, std::int64_t hidden) {
  return {weights->take(name + ".weight", {hidden}), weights->take(name + ".bias", {hidden})};
}

BertLayer take_layer(Weights* weights, int index, std::int64_t hidden, std::int64_t intermediate) {
  const std::string at = "encoder.layer." + std::to_string(index) + ".";
  return {.query = take_linear(weights, at + "attention.self.query", hidden, hidden),
          .key = take_linear(weights, at + "attention.self.key", hidden, hidden),
          .value = take_linear(weights, at + "attention.self.value", hidden, hidden),
          .attention_output = take_linear(weights, at + "attention.output.dense", hidden, hidden),
          .attention_norm = take_norm(weights, at + "attention.output.LayerNorm", hidden),
          .up = take_linear(weights, at + "intermediate.dense", hidden, intermediate),
          .down = take_linear(weights, at + "output.dense", intermediate, hidden),
          .output_norm = take_norm(weights, at + "output.LayerNorm", hidden)};
}

at::Tensor linear(const Linear& layer, const at::Tensor& x) {
  return at::linear(x, layer.weight, layer.bias);  // [T, in] -> [T, out]
}

}  // namespace

Bert::Bert(const models::SentenceEncoderFacts& facts, Weights* weights)
    : heads_(facts.heads), layer_norm_eps_(facts.layer_norm_eps), file_(weights->file()) {
  const std::int64_t hidden = facts.hidden;
  word_embeddings_ = weights->take("embeddings.word_embeddings.weight", {facts.vocab_size, hidden});
  position_embeddings_ =
      weights->take("embeddings.position_embeddings.weight", {facts.max_positions, hidden});
  type_embedding_ =
      weights->take("embeddings.token_type_embeddings.weight", {facts.type_vocab_size, hidden})[0];
  embedding_norm_ = take_norm(weights, "embeddings.LayerNorm", hidden);
  for (int i = 0; i < facts.layers; ++i) {
    layers_.push_back(take_layer(weights, i, hidden, facts.intermediate));
  }
  // The pooler is the head of a training task; the positions are simply 0, 1, 2, ...
  weights->ignore("pooler.dense.weight");
  weights->ignore("pooler.dense.bias");
  weights->ignore("embeddings.position_ids");
}

at::Tensor Bert::forward(const PackedTokens& tokens) const {
  at::Tensor x = embed(tokens);  // [T, hidden]
  for (const BertLayer& layer : layers_) {
    const at::Tensor attended = attend(layer, x, tokens.offsets);                      // [T, h]
    x = norm(layer.attention_norm, linear(layer.attention_output, attended).add_(x));  // [T, h]
    at::Tensor expanded = linear(layer.up, x);                                         // [T, i]
    at::gelu_(expanded);                                                               // [T, i]
    x = norm(layer.output_norm, linear(layer.down, expanded).add_(x));                 // [T, h]
  }
  return x;
}

at::Tensor Bert::embed(const PackedTokens& tokens) const {
  const auto total = static_cast<std::int64_t>(tokens.ids.size());
  std::vector<std::int64_t> positions(tokens.ids.size());
  for (std::size_t s = 0; s < tokens.sequences(); ++s) {
    std::iota(positions.begin() + tokens.offsets[s], positions.begin() + tokens.offsets[s + 1], 0);
  }
  const auto as_tensor = [total](const std::vector<std::int64_t>& values) {
    return at::from_blob(const_cast<std::int64_t*>(values.data()), {total}, at::kLong);  // [T]
  };
  at::Tensor x = at::embedding(word_embeddings_, as_tensor(tokens.ids));  // [T, hidden]
  x.add_(at::embedding(position_embeddings_, as_tensor(positions)));      // [T, hidden]
  x.add_(type_embedding_);                                                // [T, hidden]
  return norm(embedding_norm_, x);
}

// Attention knows no neighbours: it is the one step done sequence by sequence.
at::Tensor Bert::attend(const BertLayer& layer, const at::Tensor& x,
                        const std::vector<std::int64_t>& offsets) const {
  const std::int64_t total = x.size(0);
  const std::int64_t head_dim = x.size(1) / heads_;
  const auto by_head = [&](const Linear& projection) {
    return linear(projection, x).view({1, total, heads_, head_dim}).transpose(1, 2);
  };
  const at::Tensor query = by_head(layer.query);  // [1, heads, T, head_dim]
  const at::Tensor key = by_head(layer.key);
  const at::Tensor value = by_head(layer.value);
  at::Tensor attended = at::empty({1, total, heads_, head_dim}, x.options());
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::int64_t begin = offsets[s], length = offsets[s + 1] - begin;
    const auto part = [&](const at::Tensor& t) { return t.narrow(2, begin, length); };
    const at::Tensor result = at::scaled_dot_product_attention(
        part(query), part(key), part(value));                         // [1, heads, L, head_dim]
    attended.narrow(1, begin, length).copy_(result.transpose(1, 2));  // [1, L, heads, head_dim]
  }
  return attended.view({total, x.size(1)});  // [T, hidden]
}

at::Tensor Bert::norm(const LayerNorm& norm, const at::Tensor& x) const {
  return at::layer_norm(x, {x.size(-1)}, norm.weight, norm.bias, layer_norm_eps_);
}

}  // namespace fineprint::nets

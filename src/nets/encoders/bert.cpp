// Runs the BERT encoder over sequences laid end to end, so that no padding is ever computed.
#include "nets/encoders/bert.h"

#include <cmath>
#include <numeric>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/log.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>

#include "fineprint/core/format.h"
#include "fineprint/models/qa_tokens.h"

namespace fineprint::nets {
namespace {

BertLayer take_bert_layer(const WeightScope& weights, double eps) {
  const WeightScope self = weights["attention.self"], attended = weights["attention.output"];
  const auto norm = [eps](const WeightScope& below) {
    return take_norm(below, "LayerNorm", models::NormKind::layer, eps);
  };
  return {.query = take_linear(self, "query"),
          .key = take_linear(self, "key"),
          .value = take_linear(self, "value"),
          .attention_output = take_linear(attended, "dense"),
          .attention_norm = norm(attended),
          .feed = {models::Activation::gelu,
                   {},
                   take_linear(weights["intermediate"], "dense"),
                   take_linear(weights["output"], "dense")},
          .output_norm = norm(weights["output"])};
}

// Holds the tensors of a linear layer while PackedTrunk copies them.
class DenseTensors {
 public:
  DenseTensors(const WeightScope& weights, const std::string& name)
      : matrix_(weights[name]("weight").contiguous()), bias_(weights[name].if_there("bias")) {}
  DenseWeights view() const {
    return {matrix_.const_data_ptr<float>(),
            bias_.defined() ? bias_.const_data_ptr<float>() : nullptr};
  }

 private:
  at::Tensor matrix_, bias_;
};

// Holds the tensors of a norm while PackedTrunk copies them.
class NormTensors {
 public:
  explicit NormTensors(const WeightScope& weights)
      : weight_(weights["LayerNorm"]("weight")), bias_(weights["LayerNorm"]("bias")) {}
  NormWeights view() const {
    return {weight_.const_data_ptr<float>(), bias_.const_data_ptr<float>()};
  }

 private:
  at::Tensor weight_, bias_;
};

// Copies a layer's tensors into panels. LibTorch's tensors are freed afterwards.
void add_layer(const WeightScope& weights, PackedTrunk* trunk) {
  const WeightScope self = weights["attention.self"], attended = weights["attention.output"];
  const DenseTensors query(self, "query"), key(self, "key"), value(self, "value");
  const DenseTensors output(attended, "dense"), up(weights["intermediate"], "dense");
  const DenseTensors down(weights["output"], "dense");
  const NormTensors attention_norm(attended), output_norm(weights["output"]);
  trunk->add_layer({query.view(), key.view(), value.view(), output.view(), attention_norm.view(),
                    up.view(), down.view(), output_norm.view()});
}

TrunkShape trunk_shape(const models::TextEncoder& spec) {
  return {spec.hidden, spec.heads, spec.intermediate, static_cast<float>(spec.norm_eps),
          spec.int8 ? PackedFormat::int8 : PackedFormat::float32};
}

static_assert(models::kQaRelations == kBiasKinds);

// Runs the trunk of packed/trunk.h in place over `x`.
void run_packed(const PackedTrunk& trunk, const PackedTokens& tokens, at::Tensor x,
                const TextTrunk::Tap& tap) {
  int number = 0;
  std::function<void()> after_layer;
  if (tap) after_layer = [&] { tap(format("hidden{}", ++number), x); };
  std::vector<const std::uint8_t*> relations;
  for (const auto& kinds : tokens.relations) {
    relations.push_back(kinds.empty() ? nullptr : kinds.data());
  }
  at::Tensor numbers;  // [layers, heads, kinds]
  if (!relations.empty()) numbers = tokens.relation_numbers.transpose(1, 2).contiguous();
  trunk.run({tokens.offsets, tokens.attended, relations,
             numbers.defined() ? numbers.const_data_ptr<float>() : nullptr},
            x.mutable_data_ptr<float>(), after_layer);
}

}  // namespace

Bert::Bert(const models::TextEncoder& spec, const Weights& weights)
    : heads_(spec.heads), first_position_(spec.first_position) {
  const WeightScope trunk(weights, "trunk"), embeddings = trunk["embeddings"];
  word_embeddings_ = embeddings["word_embeddings"]("weight");
  position_embeddings_ = embeddings["position_embeddings"]("weight");
  if (spec.type_vocab_size > 0) type_embeddings_ = embeddings["token_type_embeddings"]("weight");
  if (spec.distance_kinds > 0) {
    distance_numbers_ = trunk["encoder.relative_attention_bias"]("weight");
  }
  embedding_norm_ = take_norm(embeddings, "LayerNorm", models::NormKind::layer, spec.norm_eps);
  // The packed trunk knows neither gradients nor T5's distances.
  const Device& device = weights.device();
  if (device.device.is_cpu() && device.trained == nullptr && spec.distance_kinds == 0)
    packed_.emplace(trunk_shape(spec));
  for (int i = 0; i < spec.layers; ++i) {
    const WeightScope layer = trunk[format("encoder.layer.{}", i)];
    if (packed_) {
      add_layer(layer, &*packed_);
    } else {
      layers_.push_back(take_bert_layer(layer, spec.norm_eps));
    }
  }
}

at::Tensor Bert::forward(const PackedTokens& tokens, const Tap& tap) const {
  at::Tensor x = embed(tokens);  // [T, hidden]
  if (tap) tap("hidden0", x);
  if (packed_) {
    run_packed(*packed_, tokens, x, tap);
    return x;
  }
  const Kinds kinds = kinds_of_pairs(tokens);
  for (std::size_t number = 0; number < layers_.size(); ++number) {
    const BertLayer& layer = layers_[number];
    // The summands may be rounded, x is not.
    x = apply(layer.attention_norm,
              x + apply(layer.attention_output, attend(number, x, tokens, kinds)));  // [T, hidden]
    x = apply(layer.output_norm, x + apply(layer.feed, x));                          // [T, hidden]
    if (tap) tap(format("hidden{}", number + 1), x);
  }
  return x;
}

at::Tensor Bert::embed(const PackedTokens& tokens) const {
  std::vector<std::int64_t> positions = tokens.positions;
  // Positions restart in every sequence. RoBERTa's begin at 2.
  if (positions.empty()) {
    positions.resize(tokens.ids.size());
    for (std::size_t s = 0; s < tokens.sequences(); ++s) {
      std::iota(positions.begin() + tokens.offsets[s], positions.begin() + tokens.offsets[s + 1],
                first_position_);
    }
  }
  const auto on_device = [&](const std::vector<std::int64_t>& values) {
    return at::tensor(values, at::kLong).to(word_embeddings_.device());  // [T]
  };
  at::Tensor x = at::embedding(word_embeddings_, on_device(tokens.ids));  // [T, hidden]
  x.add_(at::embedding(position_embeddings_, on_device(positions)));      // [T, hidden]
  if (type_embeddings_.defined() && tokens.types.empty()) {
    x.add_(type_embeddings_[0]);
  } else if (type_embeddings_.defined()) {
    x.add_(at::embedding(type_embeddings_, on_device(tokens.types)));
  }
  if (tokens.added.defined()) x = x + tokens.added;
  return apply(embedding_norm_, x);
}

// Half of the kinds are for keys after the query. In each half, the first half are exact distances;
// the others cover ranges that grow by a factor, and the last one covers 128 and more. Source:
// Raffel et al., "T5" (2020), section 2.1; computed in the reference's single precision, because
// rounding decides some kinds.
at::Tensor Bert::distance_bias(std::int64_t length) const {
  constexpr double kFarthest = 128;
  const std::int64_t half = distance_numbers_.size(0) / 2, exact = half / 2;
  const at::Tensor places = at::arange(length, at::kLong);
  const at::Tensor ahead = places.unsqueeze(1) - places.unsqueeze(0);  // [query, key]
  const at::Tensor apart = ahead.abs();
  const at::Tensor grown =
      (at::log(apart.to(at::kFloat).div(static_cast<double>(exact))) /
       std::log(kFarthest / static_cast<double>(exact)) * static_cast<double>(half - exact))
          .to(at::kLong)
          .add(exact)
          .clamp_max(half - 1);
  const at::Tensor kinds =
      at::where(apart < exact, apart, grown) + (ahead < 0).to(at::kLong) * half;
  return at::embedding(distance_numbers_, kinds.to(distance_numbers_.device()))
      .permute({2, 0, 1})
      .unsqueeze(0);
}

// Made once for all layers, because only the numbers differ between layers.
Bert::Kinds Bert::kinds_of_pairs(const PackedTokens& tokens) const {
  Kinds all(tokens.sequences());
  for (std::size_t s = 0; s < tokens.relations.size(); ++s) {
    const std::vector<std::uint8_t>& relations = tokens.relations[s];
    if (relations.empty()) continue;
    const std::int64_t length = tokens.offsets[s + 1] - tokens.offsets[s];
    const std::vector<std::int64_t> kinds(relations.begin(), relations.begin() + length * length);
    all[s] = at::tensor(kinds, at::kLong).to(word_embeddings_.device()).view({length, length});
  }
  return all;
}

// MPNet's distances and the QA model's relations never occur together.
std::optional<at::Tensor> Bert::bias(std::int64_t length, std::int64_t seen,
                                     const at::Tensor& kinds, const at::Tensor& numbers) const {
  if (distance_numbers_.defined()) return distance_bias(length).narrow(3, 0, seen);
  if (!kinds.defined()) return std::nullopt;
  return at::embedding(numbers, kinds)
      .permute({2, 0, 1})
      .unsqueeze(0)
      .narrow(3, 0, seen)
      .to(word_embeddings_.scalar_type());
}

// Attention is the one step that must not cross sequences, so it runs sequence by sequence. Parts
// are split and joined all at once, so that gradients pass through one operator and not through one
// for each sequence.
at::Tensor Bert::attend(std::size_t number, const at::Tensor& x, const PackedTokens& tokens,
                        const Kinds& kinds) const {
  const BertLayer& layer = layers_[number];
  at::Tensor numbers;  // of this layer, [kinds, heads]
  if (tokens.relation_numbers.defined()) {
    numbers = tokens.relation_numbers[static_cast<std::int64_t>(number)];
  }
  const std::int64_t total = x.size(0);
  std::vector<std::int64_t> lengths;
  for (std::size_t s = 0; s < tokens.sequences(); ++s) {
    lengths.push_back(tokens.offsets[s + 1] - tokens.offsets[s]);
  }
  const auto by_head = [&](const Linear& projection) {
    return apply(projection, x)
        .view({1, total, heads_, x.size(1) / heads_})
        .transpose(1, 2)
        .split_with_sizes(lengths, 2);  // of each sequence [1, heads, L, head_dim]
  };
  const std::vector<at::Tensor> query = by_head(layer.query), key = by_head(layer.key);
  const std::vector<at::Tensor> value = by_head(layer.value);
  std::vector<at::Tensor> attended;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    const std::int64_t seen = tokens.attended.empty() ? lengths[s] : tokens.attended[s];
    attended.push_back(at::scaled_dot_product_attention(query[s], key[s].narrow(2, 0, seen),
                                                        value[s].narrow(2, 0, seen),
                                                        bias(lengths[s], seen, kinds[s], numbers))
                           .transpose(1, 2));  // [1, L, heads, head_dim]
  }
  return at::cat(attended, 1).view({total, x.size(1)});  // [T, hidden]
}

}  // namespace fineprint::nets

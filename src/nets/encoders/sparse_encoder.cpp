// Weighs every token of the vocabulary for a text.
#include "nets/encoders/sparse_encoder.h"

#include <algorithm>

#include <ATen/TensorOperators.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/generation/vocabulary.h"

namespace fineprint::nets {
namespace {

TextTrunkFacts sparse_facts(const models::ModelSpec& spec) {
  if (spec.head.vocabulary) return text_trunk_facts(spec);
  throw Error(ErrorCode::model,
              format("{}: {} models give no weights of tokens", spec.dir, spec.family));
}

const char* embedding_name(const models::ModelSpec& spec) {
  return std::holds_alternative<models::RotaryEncoder>(spec.trunk) ? "embeddings.tok_embeddings"
                                                                   : "embeddings.word_embeddings";
}

// Returns the tokens that are not 0, and their weights.
Matrix entries_of(const at::Tensor& weights) {
  const at::Tensor tokens = weights.nonzero().flatten();  // ascending
  const auto* token = tokens.const_data_ptr<std::int64_t>();
  const auto* weight = weights.const_data_ptr<float>();
  Matrix out{static_cast<std::size_t>(tokens.numel()), 2, {}};
  for (std::size_t i = 0; i < out.rows; ++i) {
    out.values.push_back(static_cast<float>(token[i]));
    out.values.push_back(weight[token[i]]);
  }
  return out;
}

}  // namespace

SparseEncoder::SparseEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      facts_(sparse_facts(spec)),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  trunk_ = make_text_trunk(spec, weights);
  const models::VocabularyHead& head = *spec.head.vocabulary;
  const WeightScope vocabulary(weights, "vocabulary");
  dense_ = take_linear(vocabulary, "dense");
  norm_ = take_norm(vocabulary, "norm", models::NormKind::layer, head.norm_eps);
  tokens_ = take_linear(WeightScope(weights, "trunk"), embedding_name(spec));
  tokens_.bias = vocabulary("token_bias");
  if (!head.query_folder.empty()) {
    query_weights_ = weights.take(head.query_folder, "weight").to(at::kFloat).cpu();
  }
}

std::vector<std::int64_t> SparseEncoder::token_ids(const std::string& text,
                                                   models::TextRole role) const {
  const bool special = role == models::TextRole::passage || !query_weights_.defined();
  std::vector<tokenizer::Token> tokens = tokenizer_->encode(text, special);
  const auto limit = static_cast<std::size_t>(spec_.prompt.max_tokens);
  if (tokens.size() > limit) {
    if (special) tokens[limit - 1] = tokens.back();  // the closing special token stays
    tokens.resize(limit);
  }
  std::vector<std::int64_t> ids;
  for (const tokenizer::Token& token : tokens) {
    check_token(token.id, facts_.vocab_size, spec_.tokenizer_path);
    ids.push_back(token.id);
  }
  return ids;
}

// The logarithm grows with the number, so the largest number gives the largest weight and only one
// logarithm a token is needed.
at::Tensor SparseEncoder::weights_of(const std::vector<std::int64_t>& ids,
                                     models::TextRole role) const {
  const models::VocabularyHead& head = *spec_.head.vocabulary;
  if (role == models::TextRole::query && query_weights_.defined()) {
    at::Tensor weights = at::zeros({query_weights_.size(0)}, at::kFloat);
    const at::Tensor index = at::tensor(ids, at::kLong);
    return weights.index_copy_(0, index, query_weights_.index_select(0, index));
  }
  const Running running({device_.device, device_.dtype, 1});
  const PackedTokens packed{ids, {0, static_cast<std::int64_t>(ids.size())}};
  at::Tensor x = apply(dense_, trunk_->forward(packed));
  x = apply(norm_, activate(head.activation, std::move(x)));
  at::Tensor weights = apply(tokens_, x).amax(0).to(at::kFloat).relu_().log1p_();  // [vocabulary]
  if (head.log_twice) weights.log1p_();
  return weights.cpu();
}

std::vector<Matrix> SparseEncoder::embed_images(std::span<const Image>) const {
  throw Error(ErrorCode::usage, format("{} takes no images; use it with texts", name()));
}

// Texts are not packed into batches: the numbers of one text alone are a matrix of its tokens by
// the vocabulary.
std::vector<Matrix> SparseEncoder::embed_texts(std::span<const std::string> texts,
                                               models::TextRole role) const {
  return with_all_errors(name(), [&] {
    std::vector<Matrix> result(texts.size());
    const int side_by_side = device_.device.is_cpu() ? device_.threads : 1;
    parallel_for(texts.size(), side_by_side, [&](std::size_t i) {
      result[i] = entries_of(weights_of(token_ids(texts[i], role), role));
    });
    return result;
  });
}

}  // namespace fineprint::nets

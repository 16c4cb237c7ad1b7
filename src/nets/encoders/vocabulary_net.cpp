// Weighs every token of the vocabulary.
#include "nets/encoders/vocabulary_net.h"

#include <algorithm>

#include <ATen/TensorOperators.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/retriever.h"

namespace fineprint::nets {
namespace {

// The numbers of so many states are computed at a time: a page has about a thousand states, and
// with a vocabulary of 50,000 tokens all their numbers would take 200 MB.
constexpr std::int64_t kStatesTogether = 256;

const char* embedding_name(const models::ModelSpec& spec) {
  return std::holds_alternative<models::RotaryEncoder>(spec.trunk) ? "embeddings.tok_embeddings"
                                                                   : "embeddings.word_embeddings";
}

// log(1 + exp(w e + b)) of every token's row.
at::Tensor weights_of_rows(const Weights& weights) {
  const WeightScope query(weights, "query");
  const at::Tensor rows = query("embeddings.weight").to(at::kFloat).cpu();
  const at::Tensor weight = query("projection.weight").to(at::kFloat).cpu().flatten();
  return at::softplus(at::mv(rows, weight) + query("projection.bias").to(at::kFloat).cpu());
}

}  // namespace

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

at::Tensor counted_tokens(const models::ModelSpec& spec, const tokenizer::Tokenizer& tokenizer) {
  const auto size = static_cast<std::int64_t>(models::vector_width(spec));
  at::Tensor counted = at::ones({size}, at::kFloat);
  for (const std::string& token : spec.head.vocabulary->silent) {
    const std::int64_t id = tokenizer.id_of(token);
    if (id >= 0 && id < size) counted[id] = 0;
  }
  return counted;
}

VocabularyNet::VocabularyNet(const models::ModelSpec& spec, const Weights& weights,
                             const tokenizer::Tokenizer& tokenizer)
    : spec_(*spec.head.vocabulary), counted_(counted_tokens(spec, tokenizer)) {
  const WeightScope vocabulary(weights, "vocabulary");
  dense_ = take_linear(vocabulary, "dense");
  norm_ = take_norm(vocabulary, "norm", models::NormKind::layer, spec_.norm_eps);
  if (spec_.own_rows) {
    rows_.weight = vocabulary.matrix("rows");
  } else {
    rows_ = take_linear(WeightScope(weights, "trunk"), embedding_name(spec));
  }
  rows_.bias = vocabulary("token_bias");
}

// The logarithm grows with the number, so the largest number gives the largest weight and only one
// logarithm a token is needed.
at::Tensor VocabularyNet::weights_of(const at::Tensor& hidden) const {
  at::Tensor largest;  // [vocabulary]
  for (std::int64_t begin = 0; begin < hidden.size(0); begin += kStatesTogether) {
    const std::int64_t count = std::min(kStatesTogether, hidden.size(0) - begin);
    at::Tensor x = apply(dense_, hidden.narrow(0, begin, count));
    x = apply(norm_, activate(spec_.activation, std::move(x)));
    const at::Tensor part = apply(rows_, x).amax(0);
    largest = largest.defined() ? at::maximum(largest, part) : part;
  }
  at::Tensor weights = (largest.to(at::kFloat) * spec_.scale).relu_().log1p_();
  if (spec_.log_twice) weights.log1p_();
  return weights.cpu().mul_(counted_);
}

QuestionWeights::QuestionWeights(const models::ModelSpec& spec, const Weights& weights,
                                 const tokenizer::Tokenizer& tokenizer) {
  const models::VocabularyHead& head = *spec.head.vocabulary;
  if (!head.query_folder.empty()) {
    table_ = weights.take(head.query_folder, "weight").to(at::kFloat).cpu();
  } else if (head.query_rows) {
    table_ = weights_of_rows(weights);
    repeats_ = true;
  }
  if (!table_.defined()) return;
  if (!table_.isfinite().all().item<bool>()) {
    throw Error(ErrorCode::model,
                format("{}: the weight of a question's token is not a finite number; the file is "
                       "damaged, so download the model again",
                       spec.dir));
  }
  table_ = table_ * counted_tokens(spec, tokenizer);
}

at::Tensor QuestionWeights::weights_of(const std::vector<std::int64_t>& ids) const {
  std::vector<std::int64_t> known;
  std::ranges::copy_if(ids, std::back_inserter(known),
                       [&](std::int64_t id) { return id < table_.size(0); });
  const at::Tensor index = at::tensor(known, at::kLong);
  at::Tensor weights = at::zeros({table_.size(0)}, at::kFloat);
  const at::Tensor values = table_.index_select(0, index);
  return repeats_ ? weights.index_add_(0, index, values) : weights.index_copy_(0, index, values);
}

}  // namespace fineprint::nets

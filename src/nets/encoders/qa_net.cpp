// Computes the QA model's network: BERT over question and passage, and the outputs on top.
#include "nets/encoders/qa_net.h"

#include <utility>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/tensor.h>

namespace fineprint::nets {
namespace {

void append_all(const std::vector<std::int64_t>& from, std::vector<std::int64_t>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

// Lays sequences end to end, with the positions and types that QaLayout chose.
PackedTokens packed(std::span<const models::QaTokens> sequences) {
  PackedTokens tokens;
  for (const models::QaTokens& sequence : sequences) {
    append_all(sequence.ids, &tokens.ids);
    append_all(sequence.types, &tokens.types);
    append_all(sequence.positions, &tokens.positions);
    tokens.offsets.push_back(std::ssize(tokens.ids));
  }
  return tokens;
}

}  // namespace

QaNet::QaNet(const models::TextEncoder& encoder, std::unique_ptr<TextTrunk> trunk, const Take& take)
    : trunk_(std::move(trunk)), layers_(encoder.layers), heads_(encoder.heads) {
  const auto linear = [&](const std::string& name) {
    return Linear{{take(name + ".weight"), {}}, take(name + ".bias")};
  };
  for (std::size_t i = 0; i < models::kQaFeatures; ++i) {
    features_[i] = take(std::string(models::kQaFeatureNames[i]) + ".weight");
  }
  relations_ = take("attention.weight");
  dense_ = linear("passage.dense");
  last_ = linear("passage.last");
  token_ = linear("token");
}

// Returns the features added to the embeddings of words, such as cells and ranks: [T, hidden].
at::Tensor QaNet::added(std::span<const models::QaTokens> sequences) const {
  at::Tensor sum;
  for (std::size_t i = 0; i < models::kQaFeatures; ++i) {
    std::vector<std::int64_t> rows;
    for (const models::QaTokens& sequence : sequences) append_all(sequence.features[i], &rows);
    const at::Tensor index = at::tensor(rows, at::kLong).to(features_[i].device());
    const at::Tensor found = at::embedding(features_[i], index);  // [T, hidden]
    sum = sum.defined() ? sum + found : found;
  }
  return sum * models::kQaFeatureFactor;
}

// Scaled up here, because a step of training moves a number by no more than its rate; see
// kQaRelationFactor.
at::Tensor QaNet::relation_numbers() const {
  return (relations_.to(at::kFloat) * models::kQaRelationFactor)
      .view({models::kQaRelations, layers_, heads_})
      .transpose(0, 1);
}

QaNumbers QaNet::forward(std::span<const models::QaTokens> sequences) const {
  PackedTokens tokens = packed(sequences);
  tokens.added = added(sequences);
  for (const models::QaTokens& sequence : sequences) {
    tokens.relations.push_back(models::qa_relations(sequence));
  }
  tokens.relation_numbers = relation_numbers();
  const std::vector<std::int64_t> firsts(tokens.offsets.begin(), tokens.offsets.end() - 1);
  const at::Tensor hidden = trunk_->forward(tokens);  // [T, hidden]
  const at::Tensor first =
      hidden.index_select(0, at::tensor(firsts, at::kLong).to(hidden.device()));  // [S, hidden]
  return {apply(last_, at::gelu(apply(dense_, first))).to(at::kFloat),
          apply(token_, hidden).to(at::kFloat)};
}

}  // namespace fineprint::nets

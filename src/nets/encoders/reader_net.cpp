// Computes the QA model's network: BERT over question and passage, and the outputs on top.
#include "nets/encoders/reader_net.h"

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

// Lays sequences end to end, with the positions and types that ReaderLayout chose.
PackedTokens packed(std::span<const models::ReaderTokens> sequences) {
  PackedTokens tokens;
  for (const models::ReaderTokens& sequence : sequences) {
    append_all(sequence.ids, &tokens.ids);
    append_all(sequence.types, &tokens.types);
    append_all(sequence.positions, &tokens.positions);
    tokens.offsets.push_back(std::ssize(tokens.ids));
  }
  return tokens;
}

}  // namespace

ReaderNet::ReaderNet(const models::TextEncoder& encoder, std::unique_ptr<TextTrunk> trunk,
                     const Take& take)
    : trunk_(std::move(trunk)), layers_(encoder.layers), heads_(encoder.heads) {
  const auto linear = [&](const std::string& name) {
    return Linear{{take(name + ".weight"), {}}, take(name + ".bias")};
  };
  for (std::size_t i = 0; i < models::kReaderFeatures; ++i) {
    features_[i] = take(std::string(models::kReaderFeatureNames[i]) + ".weight");
  }
  relations_ = take("attention.weight");
  dense_ = linear("passage.dense");
  last_ = linear("passage.last");
  token_ = linear("token");
}

// Returns the features added to the embeddings of words, such as cells and ranks: [T, hidden].
at::Tensor ReaderNet::added(std::span<const models::ReaderTokens> sequences) const {
  at::Tensor sum;
  for (std::size_t i = 0; i < models::kReaderFeatures; ++i) {
    std::vector<std::int64_t> rows;
    for (const models::ReaderTokens& sequence : sequences) append_all(sequence.features[i], &rows);
    const at::Tensor index = at::tensor(rows, at::kLong).to(features_[i].device());
    const at::Tensor found = at::embedding(features_[i], index);  // [T, hidden]
    sum = sum.defined() ? sum + found : found;
  }
  return sum * models::kReaderFeatureFactor;
}

// Scaled up here, because a step of training moves a number by no more than its rate; see
// kReaderRelationFactor.
at::Tensor ReaderNet::relation_numbers() const {
  return (relations_.to(at::kFloat) * models::kReaderRelationFactor)
      .view({models::kReaderRelations, layers_, heads_})
      .transpose(0, 1);
}

ReaderNumbers ReaderNet::forward(std::span<const models::ReaderTokens> sequences) const {
  PackedTokens tokens = packed(sequences);
  tokens.added = added(sequences);
  for (const models::ReaderTokens& sequence : sequences) {
    tokens.relations.push_back(models::reader_relations(sequence));
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

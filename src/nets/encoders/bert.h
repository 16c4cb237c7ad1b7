// The BERT encoder over sequences laid end to end, so that no padding is ever computed.
//
// Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding" (2019), section 3; the layer itself is Vaswani et al., "Attention Is All You
// Need" (2017), sections 3.1 to 3.3, with the norm after each residual sum and GELU for ReLU.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nets/encoders/text_trunk.h"
#include "nets/layers/layers.h"
#include "nets/packed/trunk.h"

namespace fineprint::nets {

// The weights of one layer.
struct BertLayer {
  Linear query, key, value;  // hidden -> hidden
  Linear attention_output;   // hidden -> hidden
  Norm attention_norm;
  FeedForward feed;
  Norm output_norm;
};

// BERT. On the CPU its layers are those of packed/trunk.h. They are LibTorch's on a GPU, if
// attention depends on the distance of tokens, and while the model is trained.
class Bert final : public TextTrunk {
 public:
  Bert(const models::TextEncoder& spec, const Weights& weights);

  // Returns the last hidden states [T, hidden]. On the CPU, the states of a sequence depend on it
  // alone, to the last bit. Runs on the calling thread.
  at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const override;

 private:
  at::Tensor embed(const PackedTokens& tokens) const;
  // The kinds of each sequence's token pairs: [S] of [length, length], undefined if it has none.
  using Kinds = std::vector<at::Tensor>;
  Kinds kinds_of_pairs(const PackedTokens& tokens) const;
  at::Tensor attend(std::size_t layer, const at::Tensor& x, const PackedTokens& tokens,
                    const Kinds& kinds) const;
  // Returns the numbers added to the scores of a sequence, [1, heads, length, seen], or nothing.
  std::optional<at::Tensor> bias(std::int64_t length, std::int64_t seen, const at::Tensor& kinds,
                                 const at::Tensor& numbers) const;
  // Returns the numbers that distances add to the scores of a text of `length` tokens,
  // [1, heads, length, length].
  at::Tensor distance_bias(std::int64_t length) const;

  std::int64_t heads_, first_position_;
  at::Tensor word_embeddings_;      // [vocabulary, hidden]
  at::Tensor position_embeddings_;  // [positions, hidden]
  at::Tensor type_embeddings_;      // [types, hidden], or undefined
  at::Tensor distance_numbers_;     // [kinds, heads], or undefined
  Norm embedding_norm_;
  std::vector<BertLayer> layers_;  // or packed_
  std::optional<PackedTrunk> packed_;
};

}  // namespace fineprint::nets

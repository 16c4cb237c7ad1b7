// The BERT encoder over sequences laid end to end, so that no padding is ever computed.
//
// Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding" (2019), section 3; the layer itself is Vaswani et al., "Attention Is All You
// Need" (2017), sections 3.1 to 3.3, with the norm after each residual sum and GELU for ReLU.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"
#include "nets/packed/trunk.h"

namespace fineprint::nets {

struct BertLayer {
  Linear query, key, value;  // hidden -> hidden
  Linear attention_output;   // hidden -> hidden
  Norm attention_norm;
  FeedForward feed;
  Norm output_norm;
};

// S sequences of T tokens together: sequence s is ids[offsets[s], offsets[s + 1]).
struct PackedTokens {
  std::vector<std::int64_t> ids;            // [T]
  std::vector<std::int64_t> offsets = {0};  // [S + 1]
  // Tokens at each sequence's beginning that are attended to, [S]; empty: all.
  std::vector<std::int64_t> attended;

  std::size_t sequences() const { return offsets.size() - 1; }
};

// On the CPU the layers are those of packed/trunk.h; on a GPU they are LibTorch's.
class Bert {
 public:
  // Sees the embeddings ("hidden0") and each layer's output ("hidden1", ...), [T, hidden].
  using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

  Bert(const models::TextEncoder& spec, const Weights& weights);

  // The last hidden states [T, hidden]. Ids must be below the vocabulary's size and no sequence
  // longer than the positions. On the CPU a sequence's states depend on it alone, to the last bit.
  // Runs on the calling thread; to be called in inference mode.
  at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const;

 private:
  at::Tensor embed(const PackedTokens& tokens) const;
  at::Tensor attend(const BertLayer& layer, const at::Tensor& x, const PackedTokens& tokens) const;

  std::int64_t heads_;
  at::Tensor word_embeddings_;      // [vocabulary, hidden]
  at::Tensor position_embeddings_;  // [positions, hidden]
  at::Tensor type_embedding_;       // [hidden], of the first segment: there is no second one
  Norm embedding_norm_;
  std::vector<BertLayer> layers_;      // on a GPU
  std::optional<PackedTrunk> packed_;  // on the CPU
};

}  // namespace fineprint::nets

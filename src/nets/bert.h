// The BERT encoder over sequences laid end to end, so that no padding is ever computed.
//
// Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers for Language
// Understanding" (2019), section 3; the layer itself is Vaswani et al., "Attention Is All You
// Need" (2017), sections 3.1 to 3.3, with the norm after each residual sum and GELU for ReLU.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/folder.h"

#include "nets/weights.h"

namespace fineprint::nets {

struct Linear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out]
};

struct LayerNorm {
  at::Tensor weight, bias;  // [hidden]
};

struct BertLayer {
  Linear query, key, value;  // hidden -> hidden
  Linear attention_output;   // hidden -> hidden
  LayerNorm attention_norm;
  Linear up;    // hidden -> intermediate
  Linear down;  // intermediate -> hidden
  LayerNorm output_norm;
};

// S sequences of T tokens together: sequence s is ids[offsets[s], offsets[s + 1]).
struct PackedTokens {
  std::vector<std::int64_t> ids;            // [T]
  std::vector<std::int64_t> offsets = {0};  // [S + 1]

  std::size_t sequences() const { return offsets.size() - 1; }
};

class Bert {
 public:
  // Takes its tensors out of `weights` and keeps their file mapped. Throws Error(model).
  Bert(const models::SentenceEncoderFacts& facts, Weights* weights);

  // The last hidden states [T, hidden]. Ids must be below the vocabulary's size and no sequence
  // longer than the positions. Runs on the calling thread; to be called in inference mode.
  at::Tensor forward(const PackedTokens& tokens) const;

 private:
  at::Tensor embed(const PackedTokens& tokens) const;
  at::Tensor attend(const BertLayer& layer, const at::Tensor& x,
                    const std::vector<std::int64_t>& offsets) const;
  at::Tensor norm(const LayerNorm& norm, const at::Tensor& x) const;

  std::int64_t heads_;
  double layer_norm_eps_;
  at::Tensor word_embeddings_;      // [vocabulary, hidden]
  at::Tensor position_embeddings_;  // [positions, hidden]
  at::Tensor type_embedding_;       // [hidden], of the first segment: there is no second one
  LayerNorm embedding_norm_;
  std::vector<BertLayer> layers_;
  std::shared_ptr<const tensorfile::Reader> file_;
};

}  // namespace fineprint::nets

// Text encoders with rotary positions; some of their layers see only a window. Sources: see
// models::RotaryEncoder.
#pragma once

#include <optional>
#include <vector>

#include "nets/encoders/text_trunk.h"
#include "nets/layers/layers.h"
#include "nets/layers/rope.h"

namespace fineprint::nets {

// ModernBERT and its relatives.
class RotaryEncoderNet final : public TextTrunk {
 public:
  RotaryEncoderNet(const models::RotaryEncoder& spec, const Weights& weights);

  const models::RotaryEncoder& spec() const { return spec_; }
  at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const override;
  // Returns rows of the embedding tables [T, hidden], before the norm.
  at::Tensor look_up_tokens(const std::vector<std::int64_t>& ids) const;
  // Returns the last hidden states of sequences for given embeddings [T, hidden], before the norm.
  at::Tensor read(const at::Tensor& embeddings, const PackedTokens& tokens,
                  const Tap& tap = {}) const;

 private:
  struct Layer {
    std::optional<Norm> attention_norm;  // absent in the first layer if norms come first
    Linear qkv, attention_output;
    Norm feed_norm;
    Linear gate, up, down;  // gate is undefined if `up` holds both
    bool windowed = false;
  };
  at::Tensor attend(const Layer& layer, const at::Tensor& x, const PackedTokens& tokens,
                    const Rotation& rotation) const;
  at::Tensor feed(const Layer& layer, const at::Tensor& x) const;
  Norm norm(const WeightScope& weights, const std::string& name) const;

  models::RotaryEncoder spec_;
  Table embeddings_;
  at::Tensor added_embeddings_;  // [added tokens, hidden], or undefined
  at::Tensor type_embeddings_;   // [types, hidden], or undefined
  Norm embedding_norm_;
  std::vector<Layer> layers_;
  std::optional<Norm> final_norm_;
};

}  // namespace fineprint::nets

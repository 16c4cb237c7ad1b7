// A decoder as the trunk of an encoder of texts.
#pragma once

#include "nets/decoder/decoder.h"
#include "nets/encoders/text_trunk.h"

namespace fineprint::nets {

// Tokens see those before them alone; the last one's state has seen the whole text.
// Source: Zhang et al., "Qwen3 Embedding" (2025), section 2.
class DecoderTrunk final : public TextTrunk {
 public:
  DecoderTrunk(const models::Decoder& spec, const Weights& weights) : decoder_(spec, weights) {}
  at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const override;

 private:
  DecoderNet decoder_;
};

}  // namespace fineprint::nets

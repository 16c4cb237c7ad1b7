// Uses a decoder as the trunk of a text encoder.
#pragma once

#include "nets/decoder/decoder.h"
#include "nets/encoders/text_trunk.h"

namespace fineprint::nets {

// Tokens see only earlier tokens, so the last token's state has seen the full text; or, if prompts
// see both directions, every state has. Sources: Zhang et al., "Qwen3 Embedding" (2025), section 2;
// Vera et al., "EmbeddingGemma" (2025), section 2.1.
class DecoderTrunk final : public TextTrunk {
 public:
  DecoderTrunk(const models::Decoder& spec, const Weights& weights) : decoder_(spec, weights) {}
  at::Tensor forward(const PackedTokens& tokens, const Tap& tap = {}) const override;

 private:
  DecoderNet decoder_;
};

}  // namespace fineprint::nets

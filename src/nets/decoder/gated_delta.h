// A gated delta rule layer: one matrix for each head sums up all tokens, so its cost is linear in
// their number.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/mixer.h"
#include "nets/decoder/recurrence.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

// Source: Yang et al., "Gated Delta Networks" (2025), section 3.4. The gate on the output is that
// of Qwen3-Next and Qwen3.5. Its states are a Recurrence.
class GatedDelta final : public Mixer {
 public:
  // `weights`: the part "linear_attn".
  GatedDelta(const models::Decoder& spec, StatePlace place, const WeightScope& weights);

  at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                 std::span<const DecoderPart> parts) const override;

 private:
  // For T tokens: [T, channels], [T, value_heads] and [T, value_heads].
  struct Inputs {
    at::Tensor mixed, decay, rate;
  };
  at::Tensor mix_part(const DecoderPart& part, const Inputs& inputs) const;
  at::Tensor for_value_heads(const at::Tensor& rows) const;

  models::DeltaRule sizes_;
  StatePlace place_;
  Linear inputs_;  // queries, keys and values before the convolution
  Linear gate_, rate_, step_, output_;
  at::Tensor kernel_;              // [kernel, channels], in float32
  at::Tensor decays_, step_bias_;  // [value_heads], in float32
  Norm norm_;                      // over the values of a head
};

}  // namespace fineprint::nets

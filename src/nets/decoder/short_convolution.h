// A layer of a short convolution: each token sees the last few before it, channel by channel.
#pragma once

#include "fineprint/models/model_spec.h"

#include "nets/decoder/mixer.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

// Source: Liquid AI, "LFM2 Technical Report" (2025), section 2. Its states are a Recurrence without
// matrices.
class ShortConvolution final : public Mixer {
 public:
  // `weights`: the part "conv".
  ShortConvolution(const models::Decoder& spec, StatePlace place, const WeightScope& weights);

  at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                 std::span<const DecoderPart> parts) const override;

 private:
  // Returns the inputs [T, hidden] of one sequence after the convolution, in the same shape.
  at::Tensor convolved_inputs(const DecoderPart& part, const at::Tensor& inputs) const;

  StatePlace place_;
  Linear input_, output_;
  at::Tensor kernel_;  // [kernel, hidden]
  at::Tensor bias_;    // [hidden], or undefined
};

}  // namespace fineprint::nets

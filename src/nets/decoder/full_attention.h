// Each token attends to all before it, with grouped keys and values.
#pragma once

#include <optional>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/mixer.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

// Sources: Ainslie et al., "GQA" (2023), section 2.2; for the norms of queries and keys, Henry et
// al., "Query-Key Normalization for Transformers" (2020). What it remembers are KeyValues.
class FullAttention final : public Mixer {
 public:
  // `weights`: those of "self_attn". Sees the last `window` tokens only, unless that is 0.
  FullAttention(const models::Decoder& spec, StatePlace place, int window,
                const PartWeights& weights);

  at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                 std::span<const DecoderPart> parts) const override;

 private:
  // [heads, T, head_dim] each, not rotated.
  struct Heads {
    at::Tensor query, key, value;
    at::Tensor gate = {};  // [T, heads * head_dim], before its sigmoid
  };
  Heads heads_of(const at::Tensor& x) const;
  at::Tensor attend_part(const DecoderPart& part, const Heads& heads) const;
  at::Tensor attend_summed_up(const DecoderPart& part, const Heads& heads) const;

  std::int64_t heads_, kv_heads_, head_dim_;
  bool fused_, prompt_bidirectional_, output_gate_;
  double query_scale_ = 1;
  StatePlace place_;
  std::int64_t window_;
  Linear query_, key_, value_;  // when apart
  Linear query_key_value_;      // when fused
  Linear output_;
  std::optional<Norm> query_norm_, key_norm_;  // of each head
};

}  // namespace fineprint::nets

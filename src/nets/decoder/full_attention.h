// Attention of each token to all tokens before it, with grouped keys and values.
#pragma once

#include <optional>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/mixer.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

// Sources: Ainslie et al., "GQA" (2023), section 2.2; for the norms of queries and keys, Henry et
// al., "Query-Key Normalization for Transformers" (2020). Its states are KeyValues.
class FullAttention final : public Mixer {
 public:
  // What differs between the layers of a decoder.
  struct Kind {
    int window = 0;  // a token sees only the last `window` tokens; 0: all
    bool rotates = true;
  };
  // `weights`: the part "self_attn".
  FullAttention(const models::Decoder& spec, StatePlace place, Kind kind,
                const WeightScope& weights);

  at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                 std::span<const DecoderPart> parts) const override;

 private:
  // [heads, T, head_dim] each, before rotation.
  struct Heads {
    at::Tensor query, key, value;
    at::Tensor gate = {};  // [T, heads * head_dim], before its sigmoid
  };
  Heads heads_of(const at::Tensor& x) const;
  at::Tensor attend_causal(const Heads& heads, std::span<const TokenSpan> both_ways) const;
  at::Tensor attend_part(const DecoderPart& part, const Heads& heads) const;
  at::Tensor attend_token(const DecoderPart& part, const at::Tensor& query,
                          std::int64_t token) const;
  std::int64_t first_seen(std::int64_t token) const;
  at::Tensor attend_summed_up(const DecoderPart& part, const Heads& heads) const;

  std::int64_t heads_, kv_heads_, head_dim_;
  bool fused_, prompt_bidirectional_, output_gate_;
  double query_scale_ = 1;
  StatePlace place_;
  std::int64_t window_;
  bool rotates_;
  double cap_;                  // of the products of queries and keys; 0: none
  Linear query_, key_, value_;  // if separate
  Linear query_key_value_;      // if fused
  Linear output_;
  std::optional<Norm> query_norm_, key_norm_;  // of each head
};

}  // namespace fineprint::nets

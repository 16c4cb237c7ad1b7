// The causal transformer that reads tokens and image features: Llama's layout and its relatives.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/attention.h"
#include "nets/layers.h"
#include "nets/rope.h"
#include "nets/state.h"

namespace fineprint::nets {

// Sees named intermediate results ("hidden.layer0"); used by golden verification.
using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

struct DecoderLayer {
  Norm attention_norm;
  Linear query, key, value;  // when apart
  Linear query_key_value;    // when fused
  Linear attention_output;
  Norm feed_norm;
  FeedForward feed;  // when gate and up are apart
  Linear gate_up;    // when fused; the gate first
};

// Immutable and shared by threads; what changes is in the SequenceState.
class DecoderNet {
 public:
  DecoderNet(const models::Decoder& spec, const Weights& weights);

  const models::Decoder& spec() const { return spec_; }
  const at::Tensor& token_embeddings() const { return embeddings_; }  // [vocabulary, hidden]

  std::unique_ptr<SequenceState> new_state() const;
  std::unique_ptr<SequenceState> restore(std::span<const std::uint8_t> bytes) const;

  // Embeddings of token ids [T, hidden], scaled as the model wants. Ids must be in range.
  at::Tensor embed(const std::vector<std::int64_t>& ids) const;
  // Reads T tokens x [T, hidden] after those that `state` has read; returns the last hidden states
  // after the final norm, [T, hidden]. `state` must be of this decoder.
  at::Tensor read(at::Tensor x, const Positions& positions, SequenceState* state,
                  const Tap& tap = {}) const;

 private:
  at::Tensor attend_layer(const DecoderLayer& layer, int index, const at::Tensor& x,
                          const Rotation& rotation, KvState* state) const;
  at::Tensor feed_forward(const DecoderLayer& layer, const at::Tensor& x) const;

  models::Decoder spec_;
  at::TensorOptions options_;
  at::Tensor embeddings_;
  std::vector<DecoderLayer> layers_;
  Norm final_norm_;
};

}  // namespace fineprint::nets

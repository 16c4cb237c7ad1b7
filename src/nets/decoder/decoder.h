// The causal transformer that reads tokens and image features: Llama's layout and its relatives.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/decoder_input.h"
#include "nets/decoder/mixer.h"
#include "nets/decoder/state.h"
#include "nets/decoder/state_memory.h"
#include "nets/layers/layers.h"
#include "nets/layers/rope.h"

namespace fineprint::nets {

// Sees named intermediate results ("hidden.layer0"); used by golden verification.
using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

struct DecoderLayer {
  Norm mixer_norm;
  std::unique_ptr<Mixer> mixer;
  Norm feed_norm;
  std::optional<Norm> behind_mixer, behind_feed;
  FeedForward feed;  // when gate and up are apart
  Linear gate_up;    // when fused; the gate first
};

// Immutable and shared by threads; what changes is in the SequenceState.
class DecoderNet {
 public:
  DecoderNet(const models::Decoder& spec, const Weights& weights);

  const models::Decoder& spec() const { return spec_; }
  const Table& token_embeddings() const { return embeddings_; }  // [vocabulary, hidden]

  // Memory of states is shared by all of them; see StateMemory. Call before the first `new_state`.
  void set_state_bytes(std::int64_t bytes) { state_bytes_ = bytes; }
  std::unique_ptr<SequenceState> new_state() const;

  // Embeddings of token ids [T, hidden], scaled as the model wants. Ids must be in range.
  at::Tensor embed(const std::vector<std::int64_t>& ids) const;
  // Reads the tokens of all parts one behind the other; returns the last hidden states after the
  // final norm, [T, hidden]. The states are as before until the caller advances each by its part's
  // tokens; when it throws, too. std::bad_alloc: there is no memory for what they would remember.
  at::Tensor read(const DecoderInput& input, std::span<const DecoderPart> parts,
                  const Tap& tap = {}) const;

 private:
  at::Tensor feed_forward(const DecoderLayer& layer, const at::Tensor& x) const;

  models::Decoder spec_;
  at::TensorOptions options_;
  Table embeddings_;
  std::vector<DecoderLayer> layers_;
  Norm final_norm_;
  std::int64_t state_bytes_ = 0;
  mutable std::once_flag memory_made_;
  mutable std::unique_ptr<StateMemory> memory_;
};

}  // namespace fineprint::nets

// Runs a causal transformer over tokens and image features: Llama's layout and its relatives.
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
#include "nets/decoder/expert_mixture.h"
#include "nets/decoder/mixer.h"
#include "nets/decoder/state.h"
#include "nets/decoder/state_memory.h"
#include "nets/layers/layers.h"
#include "nets/layers/rope.h"

namespace fineprint::nets {

// Receives named intermediate results (for example, "hidden.layer0"). Golden cases use it to find
// the first layer that differs from the reference.
using Tap = std::function<void(const std::string& name, const at::Tensor& value)>;

// The weights of one layer.
struct DecoderLayer {
  Norm mixer_norm;
  std::unique_ptr<Mixer> mixer;
  Norm feed_norm;
  std::optional<Norm> behind_mixer, behind_feed;  // norms of the outputs, if the model has them
  FeedForward feed;                               // if gate and up are separate matrices
  Linear gate_up;                                 // if they are fused; the gate comes first
  std::unique_ptr<ExpertMixture> experts;         // in place of these, or nullptr
};

// The transformer's weights and computation. Immutable and shared by threads: everything that
// changes is in the SequenceState.
class DecoderNet {
 public:
  // Takes the part "trunk" of `weights`. Throws Error(model) if a tensor is missing.
  DecoderNet(const models::Decoder& spec, const Weights& weights);

  const models::Decoder& spec() const { return spec_; }
  const Table& token_embeddings() const { return embeddings_; }  // [vocabulary, hidden]

  // Sets the bytes that the states of all sequences share; see StateMemory. Call it before the
  // first `new_state`.
  void set_state_bytes(std::int64_t bytes) { state_bytes_ = bytes; }
  // Returns the state of a sequence that has no tokens yet.
  std::unique_ptr<SequenceState> new_state() const;

  // Returns the embeddings [T, hidden] of token ids, scaled as the model requires. Every id must be
  // in range.
  at::Tensor embed(const std::vector<std::int64_t>& ids) const;
  // Reads the tokens of all parts, one part after the other, and returns the last hidden states
  // after the final norm, [T, hidden]. The states do not count the new tokens until the caller
  // advances each by its part's tokens; this also holds if the call throws. Throws std::bad_alloc
  // if there is no memory for the states.
  at::Tensor read(const DecoderInput& input, std::span<const DecoderPart> parts,
                  const Tap& tap = {}) const;

 private:
  // Adds the output of a part of a layer to the layer's input.
  at::Tensor add_scaled(at::Tensor output, const at::Tensor& x) const;
  // Gate and up in one product if they are fused; else layers.h or the experts do it.
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

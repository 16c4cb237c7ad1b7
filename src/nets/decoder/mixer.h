// The part of a decoder layer in which tokens see each other: attention or a recurrence.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "nets/decoder/state.h"
#include "nets/layers/attention.h"
#include "nets/layers/rope.h"

namespace fineprint::nets {

// The next tokens of one sequence, among several sequences that are read in one step.
struct DecoderPart {
  // The state of the earlier tokens, made by the same decoder. nullptr if there are no earlier
  // tokens and none will follow.
  SequenceState* state = nullptr;
  Positions positions;
  // How many of the tokens belong to the prompt; all by default. Matters only to models whose
  // prompt tokens see each other in both directions: such a prompt is read first and in one part.
  std::int64_t prompt = std::numeric_limits<std::int64_t>::max();

  // The tokens [begin, end) of each image, for models in which the tokens of an image see each
  // other in both directions. Such an image is read in one part.
  std::vector<TokenSpan> images = {};
  // Tokens after the first `summed_up` ones see only the last of these, which sums them up. 0: they
  // see all. Needs a part without a state, and a model without recurrent layers
  // (LayerKind::delta_rule, short_convolution), which would see every token anyway.
  std::int64_t summed_up = 0;

  std::int64_t tokens() const { return static_cast<std::int64_t>(positions.values[0].size()); }
};

// The rotations of the tokens of one step, for each kind of layer.
struct Rotations {
  Rotation full, windowed;        // `windowed` only if the model has such layers
  at::Tensor query_factors = {};  // [T, 1], or undefined if no query is scaled by its position
};

// The mixer of one layer. Immutable and shared by threads: its states are in the parts.
class Mixer {
 public:
  virtual ~Mixer() = default;
  // Mixes x [T, hidden], which is normed; it holds the tokens of all parts, one part after the
  // other. Returns [T, hidden], which is added to the layer's input. Writes what later tokens need
  // into its own part of each state, where memory is reserved. The states count these tokens only
  // when they are advanced.
  virtual at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                         std::span<const DecoderPart> parts) const = 0;
};

// Where a layer's state is: the part of a SequenceState, and the layer among that part's layers.
struct StatePlace {
  std::size_t part = 0;
  int layer = 0;
};

}  // namespace fineprint::nets

// Where the tokens of a decoder's layer see each other.
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

// The next tokens of one sequence among those that are read together.
struct DecoderPart {
  // That of the tokens before, made by this decoder; nullptr: there are none, and nothing will
  // follow.
  SequenceState* state = nullptr;
  Positions positions;
  // How many of them are the prompt's, where a prompt sees itself both ways: it is read in one part
  // and before anything else. By default all.
  std::int64_t prompt = std::numeric_limits<std::int64_t>::max();

  // Those of each image [begin, end) among them, where tokens of an image see each other both ways:
  // an image is read in one part.
  std::vector<TokenSpan> images = {};
  // Tokens behind the first so many see of these the last one alone, which sums them up; 0: they
  // see all. Without a state, and where no layer sums up by itself (LayerKind::delta_rule).
  std::int64_t summed_up = 0;

  std::int64_t tokens() const { return static_cast<std::int64_t>(positions.values[0].size()); }
};

// Of the tokens that are read together, for layers of each kind.
struct Rotations {
  Rotation full, windowed;  // the latter only where there are such layers
};

// One layer's. Immutable and shared by threads; what it remembers is in the parts' states.
class Mixer {
 public:
  virtual ~Mixer() = default;
  // x [T, hidden] after the layer's norm, the tokens of all parts one behind the other, and their
  // rotations; returns [T, hidden], which is added to the layer's input. Lays what it must remember
  // into its own part of the states, in which room was reserved; they count the tokens as read only
  // when they are advanced.
  virtual at::Tensor mix(const at::Tensor& x, const Rotations& rotations,
                         std::span<const DecoderPart> parts) const = 0;
};

// Where a layer finds what it remembers: in which part of a state, and among that part's layers.
struct StatePlace {
  std::size_t part = 0;
  int layer = 0;
};

}  // namespace fineprint::nets

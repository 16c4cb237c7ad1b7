// Divides a decoder's state memory among its kinds of layers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/decoder/kv_memory.h"
#include "nets/decoder/mixer.h"
#include "nets/decoder/recurrence.h"

namespace fineprint::nets {

// Returns the place of each layer's state. A state has one part for each kind of layer that the
// decoder has.
std::vector<StatePlace> state_places(const models::Decoder& spec);

// The memory for the states of all sequences of one decoder.
class StateMemory {
 public:
  // Holds states of `wanted_bytes`, or one prompt of the most tokens that the model reads,
  // whichever is more; but never more than half of the device's free memory.
  StateMemory(const models::Decoder& spec, const at::TensorOptions& options,
              std::int64_t wanted_bytes);

  std::unique_ptr<SequenceState> new_state() const;

 private:
  std::vector<std::shared_ptr<KvMemory>> key_values_;
  std::shared_ptr<RecurrenceMemory> recurrence_;  // nullptr if there are no such layers
};

}  // namespace fineprint::nets

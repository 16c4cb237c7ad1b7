// The memory of a decoder's states, for each kind of layer.
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

// Of each layer. A state has a part for each kind of layer that the decoder has.
std::vector<StatePlace> state_places(const models::Decoder& spec);

class StateMemory {
 public:
  // Room for states of `wanted_bytes` or one prompt of as many tokens as the model reads, whichever
  // is more, within half of the memory that the device has free.
  StateMemory(const models::Decoder& spec, const at::TensorOptions& options,
              std::int64_t wanted_bytes);

  std::unique_ptr<SequenceState> new_state() const;

 private:
  std::vector<std::shared_ptr<KvMemory>> key_values_;
  std::shared_ptr<RecurrenceMemory> recurrence_;  // nullptr: there are no such layers
};

}  // namespace fineprint::nets

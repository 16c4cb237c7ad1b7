// What a training changes of a model.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Low-rank changes of the trunk in place of the weights themselves; a vision tower stays as it is.
// Source: Hu et al., "LoRA" (2021), section 4.1.
struct Lora {
  int rank = 8;
  double alpha = 64;  // changes are scaled by alpha / rank
  double dropout = 0;
  std::vector<std::string> targets;  // last names of the modules that are changed ("q_proj")
};

// What a model is opened with that is to be trained. It outlives the model.
struct Trained {
  std::optional<Lora> lora;  // absent: every weight is trained
  std::uint64_t seed = 0;    // of the first values of low-rank changes
  // The numbers that are trained: leaves in float32, by the names that files give them. Weights
  // have their own; low-rank changes MODULE.lora_A.weight [rank, in], MODULE.lora_B.weight
  // [out, rank].
  std::map<std::string, at::Tensor> tensors = {};
};

// Of one linear layer: scale * up * down * dropout(x).
struct LinearChange {
  at::Tensor down, up;  // leaves of `Trained`
  double scale = 1, dropout = 0;
};

// Lets the process keep freed memory up to a gigabyte. Activations of a few megabytes come and go
// with every layer, and handing each back to the system costs a page fault for every 4 kB of the
// next one. Called when a library is opened.
void keep_freed_memory();

}  // namespace fineprint::nets

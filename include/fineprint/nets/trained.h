// The parameters that training changes: all weights of a model, or low-rank changes (LoRA) to them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Low-rank changes that are trained in place of the trunk's weights. The weights themselves, and
// the vision tower, stay fixed. Source: Hu et al., "LoRA" (2021), section 4.1.
struct Lora {
  int rank = 8;        // columns of `up` and rows of `down`
  double alpha = 64;   // changes are scaled by alpha / rank
  double dropout = 0;  // probability that an input of a change is set to 0 while training
  // Last names of the modules to change; for example, "q_proj" changes the query projection of
  // every layer.
  std::vector<std::string> targets;
};

// What to train, and where the trained numbers go. Passed to a model when it is opened for
// training; must outlive the model.
struct Trained {
  std::optional<Lora> lora;  // absent: every weight is trained
  std::uint64_t seed = 0;    // seeds the first values of low-rank changes and new heads
  bool learning = true;      // false: Lora::dropout drops nothing, as when the model is used
  // The trained numbers: leaf tensors in float32, keyed by their names in files. Filled when the
  // model is opened. A weight has its own name. Low-rank changes of a module are
  // MODULE.lora_A.weight [rank, in] and MODULE.lora_B.weight [out, rank]; for example,
  // "model.layers.0.self_attn.q_proj.lora_A.weight".
  std::map<std::string, at::Tensor> tensors = {};
};

// The low-rank change of one linear layer: it adds scale * up * down * dropout(x) to the output.
struct LinearChange {
  at::Tensor down, up;  // leaves in `Trained::tensors`; [rank, in] and [out, rank]
  double scale = 1, dropout = 0;
  const bool* learning = nullptr;  // Trained::learning
};

// Lets the process keep up to a gigabyte of freed memory. Without this, training is slow: every
// layer allocates and frees activations of a few megabytes, and if each returns to the system, the
// next one costs a page fault for every 4 kB. Call once, when a library is opened.
void keep_freed_memory();

}  // namespace fineprint::nets

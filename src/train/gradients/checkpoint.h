// From which a stopped training goes on.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "train/gradients/optimizer.h"

namespace fineprint::train {

struct Progressed {
  long step = 0;
  std::map<std::string, at::Tensor> tensors;
  std::map<std::string, Moments> moments;
};

// One file, written as a whole or not at all. `training` says by what it must be gone on with.
// Throws Error(unreadable) naming the file.
void save_checkpoint(const std::string& path, const Progressed& progressed,
                     const std::string& training);

// Nothing where there is no file. Throws Error(input) for one of another training, saying what to
// do, and Error(model) for one that is damaged.
std::optional<Progressed> read_checkpoint(const std::string& path, const std::string& training);

// The numbers of a float32 tensor on the CPU, for as long as it lives.
std::span<const std::uint8_t> bytes_of(const at::Tensor& tensor);

}  // namespace fineprint::train

// The state from which a stopped training continues.
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

// Writes one file, completely or not at all. `training` identifies the settings with which it may
// be continued. Throws Error(unreadable) with the file.
void save_checkpoint(const std::string& path, const Progressed& progressed,
                     const std::string& training);

// Returns nullopt if there is no file. Throws Error(input) if it belongs to another training, with
// what to do, and Error(model) if it is damaged.
std::optional<Progressed> read_checkpoint(const std::string& path, const std::string& training);

// Returns the bytes of a float32 tensor on the CPU. They are valid while the tensor exists.
std::span<const std::uint8_t> bytes_of(const at::Tensor& tensor);

}  // namespace fineprint::train

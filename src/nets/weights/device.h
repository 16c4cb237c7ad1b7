// Where a model runs, in which number format and on how many threads.
#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "fineprint/models/device.h"

#include "nets/products/matrix.h"
#include "nets/products/rounded.h"

namespace fineprint::nets {

struct Trained;

// The device and settings of one model.
struct Device {
  at::Device device = at::kCPU;
  at::ScalarType dtype = at::kFloat;  // of activations, and of weights on a GPU unless codes
  int threads = 1;
  // The format of large matrices in memory. Empty: on the CPU, as in the checkpoint; on a GPU,
  // codes stay codes if it has kernels for them.
  std::optional<MatrixFormat> matrices = {};
  // Rounding of activations in products of many rows with bfloat16 matrices.
  Rounding rounding = Rounding::none;
  // The training that models opened with this device belong to; nullptr if they are only run.
  Trained* trained = nullptr;

  at::TensorOptions options() const { return at::TensorOptions(dtype).device(device); }
};

// Returns the device that the options name. Throws Error(usage) if a name is unknown, the GPU does
// not exist, or a GPU is named and the build has no CUDA.
Device resolve_device(const models::DeviceOptions& options);

// Must be alive while a model runs on the calling thread. Turns off gradients unless the model is
// trained, and sets the number of threads for products.
class Running {
 public:
  explicit Running(const Device& device);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  struct Guards;
  Guards* guards_;
};

// Returns LibTorch's version, instruction sets and GPUs as a line for people.
std::string describe_devices();

}  // namespace fineprint::nets

// Where a model runs, in which number format, and on how many threads.
#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "fineprint/models/device.h"

#include "nets/products/matrix.h"
#include "nets/products/rounded.h"

namespace fineprint::nets {

struct Trained;

struct Device {
  at::Device device = at::kCPU;
  at::ScalarType dtype = at::kFloat;  // of activations, and of weights on a GPU that are no codes
  int threads = 1;
  // How large matrices lie in memory; nothing: on the CPU as the checkpoint has them, on a GPU
  // those of codes, where it has kernels for them.
  std::optional<MatrixFormat> matrices = {};
  // Of activations, in products of bfloat16 matrices with many of them.
  Rounding rounding = Rounding::none;
  // What models that are opened with this are trained in; nullptr: they are only run.
  Trained* trained = nullptr;

  at::TensorOptions options() const { return at::TensorOptions(dtype).device(device); }
};

// Throws Error(usage) for a name that is none, a GPU that is not there, or a build without CUDA.
Device resolve_device(const models::DeviceOptions& options);

// To be alive while a model runs on the calling thread: no gradients are recorded unless it is
// trained, and products use the device's threads.
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

// Version of LibTorch, instruction sets and GPUs, for people.
std::string describe_devices();

}  // namespace fineprint::nets

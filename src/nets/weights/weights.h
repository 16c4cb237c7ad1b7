// A checkpoint's tensors on the device that a model runs on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <ATen/core/Tensor.h>

#include "fineprint/models/checkpoint.h"

#include "nets/weights/device.h"
#include "nets/weights/products.h"

namespace fineprint::nets {

// Returns tensors by part and local name (models/model_spec.h lists them). On the CPU, a tensor
// that already has the required format is a view of the mapped file. Every other one is converted
// or copied to the device tensor by tensor, and the file's pages are freed at once, so that memory
// never holds a second copy of the weights. Low-rank changes are added here, in float32. Matrices
// in blocks of codes stay as they are if no format is asked for, except small ones and those with
// changes. These are widened to float16, which keeps most of their digits among the 16-bit formats.
// If a model is trained (Device::trained), its tensors are those of the training, or have the
// device's format of activations.
class Weights {
 public:
  Weights(std::shared_ptr<const models::Checkpoint> checkpoint, const Device& device);
  ~Weights();  // logs the error of int8 weights
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  const Device& device() const { return device_; }
  // Returns a tensor in the device's format of activations. Throws Error(internal) if the model's
  // spec does not name the tensor.
  at::Tensor take(const std::string& part, const std::string& name) const;
  // Returns an undefined tensor if it is absent; else as `take`.
  at::Tensor take_if_there(const std::string& part, const std::string& name) const;
  // Returns a matrix in the device's format of large matrices. Throws as `take` does. For a tensor
  // that is not a matrix, returns what `take` does.
  HeldMatrix take_matrix(const std::string& part, const std::string& name) const;
  // Returns the number of columns of a matrix, whatever format it is held in.
  std::int64_t columns(const std::string& part, const std::string& name) const;

 private:
  HeldMatrix blocks_of(const models::Weight& weight) const;
  at::Tensor load(const models::Weight& weight) const;
  at::Tensor leaf(const models::Weight& weight) const;
  std::optional<LinearChange> change_of(const models::Weight& weight) const;
  at::Tensor in_order(const models::Weight& weight) const;
  at::Tensor changed(const models::Weight& weight) const;

  std::shared_ptr<const models::Checkpoint> checkpoint_;
  Device device_;
  mutable QuantisationLoss loss_;  // not locked, because one thread takes all weights
};

// The names of one part's tensors that begin with a prefix, for example "layers.0.". operator[]
// goes one level down; operator() takes a tensor from the weights.
class WeightScope {
 public:
  WeightScope(const Weights& weights, std::string part, std::string below = {})
      : weights_(weights), part_(std::move(part)), below_(std::move(below)) {}

  WeightScope operator[](const std::string& name) const {
    return {weights_, part_, below_ + name + "."};
  }
  at::Tensor operator()(const std::string& name) const {
    return weights_.take(part_, below_ + name);
  }
  HeldMatrix matrix(const std::string& name) const {
    return weights_.take_matrix(part_, below_ + name);
  }
  std::int64_t columns(const std::string& name) const {
    return weights_.columns(part_, below_ + name);
  }
  at::Tensor if_there(const std::string& name) const {
    return weights_.take_if_there(part_, below_ + name);
  }

 private:
  const Weights& weights_;
  std::string part_, below_;
};

}  // namespace fineprint::nets

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

// Hands out tensors by part and local name (models/model_spec.h lists them). What already is as it
// is wanted on the CPU is a view of the mapped file; any other is converted or copied to the device
// tensor by tensor, and the file's pages are let go at once, so that no second copy of the weights
// is ever in memory. Low-rank changes are added here, in float32. Matrices in blocks of codes stay
// as they are where no format is asked for, but for small ones and those with changes, which are
// widened to float16: of the formats of 16 bits it keeps most of their digits. Of a model that is
// trained (Device::trained) they are that training's tensors, or as the device has activations.
class Weights {
 public:
  Weights(std::shared_ptr<const models::Checkpoint> checkpoint, const Device& device);
  ~Weights();  // says in the log what int8 cost
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;

  const Device& device() const { return device_; }
  // In the device's format of activations. Throws Error(internal) for a tensor that the model's
  // spec does not name.
  at::Tensor take(const std::string& part, const std::string& name) const;
  // An undefined tensor when it is absent.
  at::Tensor take_if_there(const std::string& part, const std::string& name) const;
  // In the device's format of large matrices. Throws as `take` does; a tensor that is no matrix
  // comes as from there.
  HeldMatrix take_matrix(const std::string& part, const std::string& name) const;
  // Of a matrix, whatever it is held as.
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
  mutable QuantisationLoss loss_;  // Weights are taken by one thread
};

// The tensors of one part, below a place in it ("layers.0.").
class PartWeights {
 public:
  PartWeights(const Weights& weights, std::string part, std::string below = {})
      : weights_(weights), part_(std::move(part)), below_(std::move(below)) {}

  PartWeights operator[](const std::string& name) const {
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

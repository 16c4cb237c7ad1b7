// The layers that vectors of texts pass after the trunk.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

class DenseStack {
 public:
  DenseStack() = default;
  DenseStack(const std::vector<models::DenseLayer>& specs, const Weights& weights);

  // [n, in] -> [n, out]; x itself without layers.
  at::Tensor apply_to(at::Tensor x) const;

 private:
  struct Layer {
    Linear linear;
    std::optional<models::Activation> activation;
    bool residual = false;
    std::optional<Linear> of_input;  // what is added is the input through this one
  };
  std::vector<Layer> layers_;
};

}  // namespace fineprint::nets

// The layers that come after the trunk and the pooling of text encoders.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Linear layers with activations and residual connections, as sentence-transformers stores them.
class DenseStack {
 public:
  DenseStack() = default;
  DenseStack(const std::vector<models::DenseLayer>& specs, const Weights& weights);

  // Returns [n, out] for x [n, in]; x itself if there are no layers.
  at::Tensor apply_to(at::Tensor x) const;

 private:
  struct Layer {
    Linear linear;
    std::optional<models::Activation> activation;
    bool residual = false;
    std::optional<Linear> of_input;  // projects the input before it is added
  };
  std::vector<Layer> layers_;
};

}  // namespace fineprint::nets

// Applies the layers that come after the trunk and the pooling of text encoders.
#include "nets/encoders/dense_stack.h"

#include <utility>

namespace fineprint::nets {

DenseStack::DenseStack(const std::vector<models::DenseLayer>& specs, const Weights& weights) {
  for (const models::DenseLayer& spec : specs) {
    const WeightScope from(weights, spec.folder);
    Layer layer{take_linear(from, "linear"), spec.activation, spec.residual, {}};
    if (spec.residual && spec.in != spec.out) layer.of_input = take_linear(from, "residual");
    layers_.push_back(std::move(layer));
  }
}

at::Tensor DenseStack::apply_to(at::Tensor x) const {
  for (const Layer& layer : layers_) {
    at::Tensor y = apply(layer.linear, x);
    if (layer.activation) y = activate(*layer.activation, std::move(y));
    if (layer.residual) y = y + (layer.of_input ? apply(*layer.of_input, x) : x);
    x = std::move(y);
  }
  return x;
}

}  // namespace fineprint::nets

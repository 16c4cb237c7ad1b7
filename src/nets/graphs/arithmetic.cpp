// Operators on values one by one.
#include <limits>

#include <ATen/ops/clamp.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/where.h>

#include "nets/graphs/operators.h"

namespace fineprint::nets {
namespace {

template <at::Tensor (at::Tensor::*Method)() const>
Tensors of_one(const Call& call) {
  return {(call.at(0).*Method)()};
}

template <at::Tensor (at::Tensor::*Method)(const at::Tensor&) const>
Tensors of_two(const Call& call) {
  return {(call.at(0).*Method)(call.at(1))};
}

Tensors sum_of(const Call& call) { return {call.at(0) + call.at(1)}; }
Tensors difference_of(const Call& call) { return {call.at(0) - call.at(1)}; }

// Integers are divided towards zero.
Tensors divide(const Call& call) {
  if (at::isFloatingType(call.at(0).scalar_type())) return {call.at(0) / call.at(1)};
  return {call.at(0).div(call.at(1), "trunc")};
}

// With fmod the result has the sign of the dividend, as in C, otherwise that of the divisor.
Tensors modulo(const Call& call) {
  const bool as_in_c = call.integer("fmod", 0) != 0;
  return {as_in_c ? call.at(0).fmod(call.at(1)) : call.at(0).remainder(call.at(1))};
}

Tensors power(const Call& call) {
  return {call.at(0).pow(call.at(1)).to(call.at(0).scalar_type())};
}

template <at::Tensor (*Choose)(const at::Tensor&, const at::Tensor&)>
Tensors of_all(const Call& call) {
  at::Tensor chosen = call.at(0);
  for (std::size_t i = 1; i < call.inputs.size(); ++i) chosen = Choose(chosen, call.at(i));
  return {chosen};
}

Tensors clip(const Call& call) {
  at::Tensor x = call.at(0);
  const bool as_inputs = call.opset >= 11;
  if (as_inputs) {
    if (call.has(1)) x = at::maximum(x, call.at(1).to(x.scalar_type()));
    if (call.has(2)) x = at::minimum(x, call.at(2).to(x.scalar_type()));
    return {x};
  }
  constexpr double kMost = std::numeric_limits<float>::max();
  return {at::clamp(x, call.real("min", -kMost), call.real("max", kMost))};
}

Tensors leaky_relu(const Call& call) {
  const at::Tensor& x = call.at(0);
  return {at::where(x < 0, x * call.real("alpha", 0.01), x)};
}

Tensors parametric_relu(const Call& call) {
  const at::Tensor& x = call.at(0);
  return {at::where(x < 0, x * call.at(1), x)};
}

Tensors hard_sigmoid(const Call& call) {
  return {at::clamp(call.at(0) * call.real("alpha", 0.2) + call.real("beta", 0.5), 0, 1)};
}

Tensors is_infinite(const Call& call) {
  const at::Tensor infinite = call.at(0).isinf();
  if (call.integer("detect_negative", 1) == 0) return {infinite.logical_and(call.at(0) > 0)};
  if (call.integer("detect_positive", 1) == 0) return {infinite.logical_and(call.at(0) < 0)};
  return {infinite};
}

Tensors choose(const Call& call) {
  return {at::where(call.at(0).to(at::kBool), call.at(1), call.at(2))};
}

Tensors identity(const Call& call) { return {call.at(0)}; }

}  // namespace

Operators arithmetic_operators() {
  using at::Tensor;
  return {
      {"Abs", of_one<&Tensor::abs>},
      {"Add", sum_of},
      {"And", of_two<&Tensor::logical_and>},
      {"Ceil", of_one<&Tensor::ceil>},
      {"Clip", clip},
      {"Cos", of_one<&Tensor::cos>},
      {"Div", divide},
      {"Dropout", identity},
      {"Equal", of_two<&Tensor::eq>},
      {"Erf", of_one<&Tensor::erf>},
      {"Exp", of_one<&Tensor::exp>},
      {"Floor", of_one<&Tensor::floor>},
      {"Greater", of_two<&Tensor::gt>},
      {"GreaterOrEqual", of_two<&Tensor::ge>},
      {"HardSigmoid", hard_sigmoid},
      {"Identity", identity},
      {"IsInf", is_infinite},
      {"IsNaN", of_one<&Tensor::isnan>},
      {"LeakyRelu", leaky_relu},
      {"Less", of_two<&Tensor::lt>},
      {"LessOrEqual", of_two<&Tensor::le>},
      {"Log", of_one<&Tensor::log>},
      {"Max", of_all<at::maximum>},
      {"Min", of_all<at::minimum>},
      {"Mod", modulo},
      {"Mul", of_two<&Tensor::mul>},
      {"Neg", of_one<&Tensor::neg>},
      {"Not", of_one<&Tensor::logical_not>},
      {"Or", of_two<&Tensor::logical_or>},
      {"PRelu", parametric_relu},
      {"Pow", power},
      {"Reciprocal", of_one<&Tensor::reciprocal>},
      {"Relu", of_one<&Tensor::relu>},
      {"Round", of_one<&Tensor::round>},
      {"Sigmoid", of_one<&Tensor::sigmoid>},
      {"Sin", of_one<&Tensor::sin>},
      {"Sqrt", of_one<&Tensor::sqrt>},
      {"Sub", difference_of},
      {"Tanh", of_one<&Tensor::tanh>},
      {"Where", choose},
  };
}

}  // namespace fineprint::nets

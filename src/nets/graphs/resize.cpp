#include "nets/graphs/resize.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"

namespace fineprint::nets {
namespace {

// How an axis of `from` values becomes one of `to`.
struct Axis {
  std::int64_t from = 0, to = 0;
  double scale = 1;  // values of the result for each value
};

// The place in the input of value `i` of the result, in float32, because the rounding of places
// between two values depends on it.
float place_of(const Call& call, const std::string& rule, const Axis& axis, std::int64_t i) {
  const auto x = static_cast<float>(i), scale = static_cast<float>(axis.scale);
  const auto from = static_cast<float>(axis.from), to = static_cast<float>(axis.to);
  if (rule == "half_pixel") return (x + 0.5F) / scale - 0.5F;
  if (rule == "asymmetric") return x / scale;
  if (rule == "pytorch_half_pixel") return axis.to > 1 ? (x + 0.5F) / scale - 0.5F : 0;
  if (rule == "align_corners") return axis.to > 1 ? x * (from - 1) / (to - 1) : 0;
  if (rule == "half_pixel_symmetric") {
    return from / 2 * (1 - to / (scale * from)) + (x + 0.5F) / scale - 0.5F;
  }
  call.fail(format("the rule '{}' for places is not supported", rule));
}

std::int64_t nearest(const Call& call, const std::string& rule, float place) {
  float rounded = 0;
  if (rule == "round_prefer_floor")
    rounded = std::ceil(place - 0.5F);
  else if (rule == "round_prefer_ceil")
    rounded = std::floor(place + 0.5F);
  else if (rule == "floor")
    rounded = std::floor(place);
  else if (rule == "ceil")
    rounded = std::ceil(place);
  else
    call.fail(format("the rounding '{}' is not supported", rule));
  return static_cast<std::int64_t>(rounded);
}

// Which values of the input a value of the result mixes, and their weights.
struct Mix {
  std::vector<std::int64_t> places;  // for each value of the result
  std::vector<float> weights;
};

// Weights of the four values around a place `t` after the second of them.
// Source: Keys, "Cubic Convolution Interpolation for Digital Image Processing" (1981).
std::array<double, 4> cubic_weights(double t, double a) {
  const auto near = [a](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [a](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  return {far(1 + t), near(t), near(1 - t), far(2 - t)};
}

std::vector<Mix> mixes_of(const Call& call, const Axis& axis) {
  const std::string mode = call.text("mode", "nearest");
  const std::string places = call.node.op == "Upsample" || call.opset < 11
                                 ? "asymmetric"
                                 : call.text("coordinate_transformation_mode", "half_pixel");
  const std::string rounding =
      call.opset < 11 ? "floor" : call.text("nearest_mode", "round_prefer_floor");
  const std::size_t count = mode == "nearest" ? 1 : mode == "linear" ? 2 : 4;
  if (mode != "nearest" && mode != "linear" && mode != "cubic") {
    call.fail(format("the mode '{}' is not supported", mode));
  }
  std::vector<Mix> mixes(count);
  const auto add = [&](std::size_t i, std::int64_t place, double weight) {
    mixes[i].places.push_back(std::clamp<std::int64_t>(place, 0, axis.from - 1));
    mixes[i].weights.push_back(static_cast<float>(weight));
  };
  for (std::int64_t i = 0; i < axis.to; ++i) {
    const float place = place_of(call, places, axis, i);
    const auto below = static_cast<std::int64_t>(std::floor(place));
    const double rest = place - static_cast<float>(below);
    if (count == 1) {
      add(0, nearest(call, rounding, place), 1);
    } else if (count == 2) {
      add(0, below, 1 - rest);
      add(1, below + 1, rest);
    } else {
      const auto weights = cubic_weights(rest, call.real("cubic_coeff_a", -0.75));
      for (std::size_t k = 0; k < 4; ++k)
        add(k, below - 1 + static_cast<std::int64_t>(k), weights[k]);
    }
  }
  return mixes;
}

at::Tensor resized(const Call& call, const at::Tensor& x, std::int64_t dimension,
                   const Axis& axis) {
  const std::vector<Mix> mixes = mixes_of(call, axis);
  std::vector<std::int64_t> line(static_cast<std::size_t>(x.dim()), 1);
  line[static_cast<std::size_t>(dimension)] = axis.to;
  at::Tensor sum;
  for (const Mix& mix : mixes) {
    const at::Tensor taken =
        x.index_select(dimension, at::tensor(mix.places, at::TensorOptions(at::kLong)));
    if (mixes.size() == 1) return taken;
    const at::Tensor part =
        taken * at::tensor(mix.weights, at::TensorOptions(at::kFloat)).reshape(line);
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

// The axes that the node resizes, from its sizes or its scales.
std::vector<Axis> axes_of_result(const Call& call, const at::Tensor& x) {
  const std::size_t scales_at = call.node.op == "Upsample" || call.opset < 11 ? 1 : 2;
  const auto dimensions = static_cast<std::size_t>(x.dim());
  std::vector<Axis> axes(dimensions);
  const bool by_size = call.has(3) && call.at(3).numel() > 0;
  const auto named = call.integers("axes");
  std::vector<std::int64_t> order = named;
  if (named.empty()) {
    for (std::size_t i = 0; i < dimensions; ++i) order.push_back(static_cast<std::int64_t>(i));
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    axes[i].from = axes[i].to = x.size(static_cast<std::int64_t>(i));
  }
  const at::Tensor given = call.at(by_size ? 3 : scales_at).to(at::kDouble).contiguous();
  if (given.numel() != static_cast<std::int64_t>(order.size())) {
    call.fail("it has not one size or scale an axis");
  }
  const auto* numbers = given.const_data_ptr<double>();
  for (std::size_t i = 0; i < order.size(); ++i) {
    Axis& axis = axes[static_cast<std::size_t>(axis_of(call, order[i], x.dim()))];
    if (!(numbers[i] > 0) || numbers[i] > 1e9) call.fail("a size or scale is out of range");
    const auto from = static_cast<double>(axis.from);
    axis.to = static_cast<std::int64_t>(std::floor(by_size ? numbers[i] : from * numbers[i]));
    axis.scale = by_size ? numbers[i] / from : numbers[i];
  }
  return axes;
}

}  // namespace

Tensors resize(const Call& call) {
  if (call.integer("antialias", 0) != 0 || call.integer("exclude_outside", 0) != 0 ||
      call.text("keep_aspect_ratio_policy", "stretch") != "stretch") {
    call.fail("antialias, exclude_outside and keep_aspect_ratio_policy are not supported");
  }
  at::Tensor x = call.at(0);
  const std::vector<Axis> axes = axes_of_result(call, x);
  std::vector<std::int64_t> shape;
  for (const Axis& axis : axes) shape.push_back(axis.to);
  checked_shape(call, shape);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].from == axes[i].to && axes[i].scale == 1) continue;
    if (axes[i].from == 0) call.fail("an array without values cannot be resized");
    x = resized(call, x, static_cast<std::int64_t>(i), axes[i]);
  }
  return {x};
}

}  // namespace fineprint::nets

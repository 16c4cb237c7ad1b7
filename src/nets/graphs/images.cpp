// Operators on images: convolutions, pools, and sampling at other places.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/instance_norm.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"

#include "nets/graphs/operators.h"
#include "nets/graphs/resize.h"

namespace fineprint::nets {
namespace {

using Integers = std::vector<std::int64_t>;

// How a window moves over the axes after the first two (batch and channel).
struct Window {
  Integers size, strides, dilations;
  Integers before, after;  // padding
};

// The padding of auto_pad: as much as makes ceil(size / stride) outputs.
void pad_to_same(const at::Tensor& x, bool more_at_end, Window& window) {
  for (std::size_t i = 0; i < window.size.size(); ++i) {
    const std::int64_t size = x.size(static_cast<std::int64_t>(i) + 2), stride = window.strides[i];
    const std::int64_t reach = (window.size[i] - 1) * window.dilations[i] + 1;
    const std::int64_t outputs = (size + stride - 1) / stride;
    const std::int64_t all = std::max<std::int64_t>(0, (outputs - 1) * stride + reach - size);
    window.before[i] = more_at_end ? all / 2 : all - all / 2;
    window.after[i] = all - window.before[i];
  }
}

Window window_of(const Call& call, const at::Tensor& x, Integers size) {
  const std::size_t axes = size.size();
  if (axes == 0 || static_cast<std::int64_t>(axes) + 2 != x.dim()) {
    call.fail(format("its window of {} axes does not match an array of {}", axes, x.dim()));
  }
  Window window{std::move(size), call.integers("strides", Integers(axes, 1)),
                call.integers("dilations", Integers(axes, 1)), Integers(axes, 0),
                Integers(axes, 0)};
  const Integers pads = call.integers("pads", Integers(2 * axes, 0));
  if (window.strides.size() != axes || window.dilations.size() != axes || pads.size() != 2 * axes) {
    call.fail("it has not one stride, dilation and padding an axis");
  }
  const auto positive = [](std::int64_t value) { return value > 0 && value < 1 << 20; };
  if (!std::ranges::all_of(window.size, positive) ||
      !std::ranges::all_of(window.strides, positive) ||
      !std::ranges::all_of(window.dilations, positive)) {
    call.fail("a size, stride or dilation is out of range");
  }
  std::ranges::copy_n(pads.begin(), static_cast<std::ptrdiff_t>(axes), window.before.begin());
  std::ranges::copy_n(pads.begin() + static_cast<std::ptrdiff_t>(axes),
                      static_cast<std::ptrdiff_t>(axes), window.after.begin());
  const std::string automatic = call.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER") pad_to_same(x, true, window);
  if (automatic == "SAME_LOWER") pad_to_same(x, false, window);
  return window;
}

// Returns `x` padded so that the window needs no more padding than the same amount on both sides,
// and the amount that is left in `window.before`.
at::Tensor even(const Call& call, const at::Tensor& x, Window& window, double value) {
  if (window.before == window.after) return x;
  Integers order, shape = x.sizes().vec();
  for (std::size_t i = window.size.size(); i-- > 0;) {
    order.push_back(window.before[i]);
    order.push_back(window.after[i]);
    shape[i + 2] += window.before[i] + window.after[i];
  }
  checked_shape(call, shape);
  std::ranges::fill(window.before, 0);
  std::ranges::fill(window.after, 0);
  return at::constant_pad_nd(x, order, value);
}

std::optional<at::Tensor> bias_of(const Call& call) {
  return call.has(2) ? std::optional(call.at(2)) : std::nullopt;
}

Integers window_of_weights(const Call& call) {
  const at::Tensor& weight = call.at(1);
  if (weight.dim() < 3) call.fail("its weights have too few axes");
  return weight.sizes().slice(2).vec();
}

Tensors convolve(const Call& call) {
  Window window = window_of(call, call.at(0), window_of_weights(call));
  const at::Tensor x = even(call, call.at(0), window, 0);
  return {at::convolution(x, call.at(1), bias_of(call), window.strides, window.before,
                          window.dilations, false, Integers(window.size.size(), 0),
                          call.integer("group", 1))};
}

// Padding of a transposed convolution cuts its result: what LibTorch cannot cut is cut afterwards.
Tensors convolve_back(const Call& call) {
  if (call.text("auto_pad", "NOTSET") != "NOTSET" ||
      call.node.attributes.contains("output_shape")) {
    call.fail("auto_pad and output_shape are not supported");
  }
  const Window window = window_of(call, call.at(0), window_of_weights(call));
  const std::size_t axes = window.size.size();
  const Integers more = call.integers("output_padding", Integers(axes, 0));
  at::Tensor y =
      at::convolution(call.at(0), call.at(1), bias_of(call), window.strides, Integers(axes, 0),
                      window.dilations, true, more, call.integer("group", 1));
  for (std::size_t i = 0; i < axes; ++i) {
    const auto axis = static_cast<std::int64_t>(i) + 2;
    const std::int64_t left = y.size(axis) - window.before[i] - window.after[i];
    if (left < 0) call.fail("its padding is larger than its result");
    y = y.narrow(axis, window.before[i], left);
  }
  return {y};
}

// Pools work on two axes; one axis becomes two of which the first has one value.
struct Pooled {
  at::Tensor x;
  Window window;
  bool is_line = false;
};

Pooled pooled(const Call& call) {
  Pooled made{call.at(0), window_of(call, call.at(0), call.integers("kernel_shape")), false};
  if (made.window.size.size() > 2) call.fail("pools over three axes are not supported");
  if (made.window.size.size() == 1) {
    made.is_line = true;
    made.x = made.x.unsqueeze(2);
    for (Integers* counts : {&made.window.size, &made.window.strides, &made.window.dilations}) {
      counts->insert(counts->begin(), 1);
    }
    made.window.before.insert(made.window.before.begin(), 0);
    made.window.after.insert(made.window.after.begin(), 0);
  }
  return made;
}

Tensors pool_maximum(const Call& call) {
  if (call.node.outputs.size() > 1) call.fail("only its first output is supported");
  Pooled pool = pooled(call);
  const at::Tensor x = even(call, pool.x, pool.window, -std::numeric_limits<double>::infinity());
  const at::Tensor y = at::max_pool2d(x, pool.window.size, pool.window.strides, pool.window.before,
                                      pool.window.dilations, call.integer("ceil_mode", 0) != 0);
  return {pool.is_line ? y.squeeze(2) : y};
}

// Without padded values in the count, sums are divided by the number of real values.
Tensors pool_average(const Call& call) {
  Pooled pool = pooled(call);
  if (!std::ranges::all_of(pool.window.dilations, [](std::int64_t d) { return d == 1; })) {
    call.fail("dilations are not supported");
  }
  const bool round_up = call.integer("ceil_mode", 0) != 0;
  const bool count_padding = call.integer("count_include_pad", 0) != 0;
  if (pool.window.before == pool.window.after) {
    const at::Tensor y = at::avg_pool2d(pool.x, pool.window.size, pool.window.strides,
                                        pool.window.before, round_up, count_padding);
    return {pool.is_line ? y.squeeze(2) : y};
  }
  Window window = pool.window;
  const at::Tensor x = even(call, pool.x, window, 0);
  const auto average = [&](const at::Tensor& values) {
    return at::avg_pool2d(values, window.size, window.strides, window.before, round_up, true);
  };
  at::Tensor y = average(x);
  if (!count_padding) {
    Window again = pool.window;
    y = y / average(even(call, at::ones(pool.x.sizes(), pool.x.options()), again, 0));
  }
  return {pool.is_line ? y.squeeze(2) : y};
}

Integers axes_of_image(const at::Tensor& x) {
  Integers axes;
  for (std::int64_t i = 2; i < x.dim(); ++i) axes.push_back(i);
  return axes;
}

Tensors pool_all_average(const Call& call) {
  return {call.at(0).mean(axes_of_image(call.at(0)), true)};
}

Tensors pool_all_maximum(const Call& call) {
  return {call.at(0).amax(axes_of_image(call.at(0)), true)};
}

// One value a channel, for arrays whose second axis is the channel.
at::Tensor by_channel(const at::Tensor& values, std::int64_t dimensions) {
  Integers shape(static_cast<std::size_t>(std::max<std::int64_t>(dimensions, 2)), 1);
  shape[1] = values.numel();
  return values.reshape(shape);
}

Tensors batch_norm(const Call& call) {
  if (call.integer("training_mode", 0) != 0) call.fail("training is not supported");
  const at::Tensor& x = call.at(0);
  const at::Tensor scale = call.at(1) / (call.at(4) + call.real("epsilon", 1e-5)).sqrt();
  const at::Tensor shift = call.at(2) - call.at(3) * scale;
  return {x * by_channel(scale, x.dim()) + by_channel(shift, x.dim())};
}

Tensors instance_norm(const Call& call) {
  return {at::instance_norm(call.at(0), call.at(1), call.at(2), {}, {}, true, 0.0,
                            call.real("epsilon", 1e-5), false)};
}

Tensors sample_grid(const Call& call) {
  const std::string mode = call.text("mode", "bilinear");
  const std::string outside = call.text("padding_mode", "zeros");
  const auto place = [&](std::initializer_list<std::string_view> names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) call.fail(format("the mode '{}' is not supported", name));
    return static_cast<std::int64_t>(found - names.begin());
  };
  const std::string known = mode == "linear" ? "bilinear" : mode == "cubic" ? "bicubic" : mode;
  return {at::grid_sampler(call.at(0), call.at(1), place({"bilinear", "nearest", "bicubic"}, known),
                           place({"zeros", "border", "reflection"}, outside),
                           call.integer("align_corners", 0) != 0)};
}

}  // namespace

Operators image_operators() {
  return {
      {"AveragePool", pool_average},
      {"BatchNormalization", batch_norm},
      {"Conv", convolve},
      {"ConvTranspose", convolve_back},
      {"GlobalAveragePool", pool_all_average},
      {"GlobalMaxPool", pool_all_maximum},
      {"GridSample", sample_grid},
      {"InstanceNormalization", instance_norm},
      {"MaxPool", pool_maximum},
      {"Resize", resize},
      {"Upsample", resize},
  };
}

}  // namespace fineprint::nets

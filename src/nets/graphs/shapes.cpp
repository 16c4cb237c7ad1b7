// Operators that make, cut, join and reshape arrays.
#include <algorithm>

#include <ATen/ops/arange.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/format.h"

#include "nets/graphs/arrays.h"
#include "nets/graphs/operators.h"

namespace fineprint::nets {
namespace {

using Integers = std::vector<std::int64_t>;

at::Tensor integers_as_tensor(const Integers& values) {
  return at::tensor(values, at::TensorOptions(at::kLong));
}

Tensors constant(const Call& call) {
  const auto& attributes = call.node.attributes;
  const auto found = attributes.find("value");
  if (found != attributes.end() && found->second.array) return {tensor_of(*found->second.array)};
  if (attributes.contains("value_int")) {
    return {at::full({}, call.integer("value_int", 0), at::TensorOptions(at::kLong))};
  }
  if (attributes.contains("value_float")) {
    return {at::full({}, call.real("value_float", 0), at::TensorOptions(at::kFloat))};
  }
  if (attributes.contains("value_ints")) return {integers_as_tensor(call.integers("value_ints"))};
  const auto reals = attributes.find("value_floats");
  if (reals != attributes.end()) {
    return {at::tensor(reals->second.floats, at::TensorOptions(at::kFloat))};
  }
  call.fail("it has no value of a kind that is supported");
}

Tensors constant_of_shape(const Call& call) {
  const Integers shape = checked_shape(call, call.integers_at(0));
  const auto found = call.node.attributes.find("value");
  if (found == call.node.attributes.end() || !found->second.array) {
    return {at::full(shape, 0.0, at::TensorOptions(at::kFloat))};
  }
  const at::Tensor value = tensor_of(*found->second.array);
  if (value.numel() != 1) call.fail("its value is not one number");
  return {value.reshape({}).expand(shape).clone()};
}

Tensors range(const Call& call) {
  const at::Tensor& start = call.at(0);
  const at::Scalar from = start.item(), to = call.at(1).item(), step = call.at(2).item();
  if (step.toDouble() == 0) call.fail("its step is 0");
  const double count = (to.toDouble() - from.toDouble()) / step.toDouble();
  if (count > 0) checked_shape(call, {static_cast<std::int64_t>(std::min(count, 1e18))});
  if (!(count > 0)) return {at::full({0}, 0, start.options())};
  return {at::arange(from, to, step, start.options())};
}

Tensors sizes_of(const Call& call) {
  Integers sizes = call.at(0).sizes().vec();
  const auto count = static_cast<std::int64_t>(sizes.size());
  const auto bounded = [&](std::int64_t place) {
    return std::clamp<std::int64_t>(place < 0 ? place + count : place, 0, count);
  };
  const std::int64_t from = bounded(call.integer("start", 0));
  const std::int64_t to = std::max(from, bounded(call.integer("end", count)));
  return {integers_as_tensor({sizes.begin() + from, sizes.begin() + to})};
}

Tensors size_of(const Call& call) {
  return {at::full({}, call.at(0).numel(), at::TensorOptions(at::kLong))};
}

Tensors cast(const Call& call) {
  const auto type = scalar_type_of_number(call.integer("to", 0));
  if (!type) call.fail(format("values of type {} are not supported", call.integer("to", 0)));
  return {call.at(0).to(*type)};
}

Tensors concatenate(const Call& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) call.at(i);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), call.at(0).dim());
  return {at::cat(call.inputs, axis)};
}

Tensors expand(const Call& call) {
  const at::Tensor& x = call.at(0);
  Integers shape = call.integers_at(1);
  // A size of 1 keeps the size of x, and missing leading axes of the shape are those of x.
  const std::size_t axes = std::max<std::size_t>(shape.size(), x.dim());
  shape.insert(shape.begin(), axes - shape.size(), 1);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t axis =
        static_cast<std::int64_t>(i + x.dim()) - static_cast<std::int64_t>(axes);
    if (axis >= 0 && shape[i] == 1) shape[i] = x.size(axis);
  }
  return {x.expand(checked_shape(call, std::move(shape)))};
}

Tensors flatten(const Call& call) {
  const at::Tensor& x = call.at(0);
  std::int64_t axis = call.integer("axis", 1);
  if (axis < 0) axis += x.dim();
  if (axis < 0 || axis > x.dim()) call.fail("its axis does not exist");
  std::int64_t rows = 1;
  for (std::int64_t i = 0; i < axis; ++i) rows *= x.size(i);
  return {x.reshape({rows, rows == 0 ? 0 : x.numel() / rows})};
}

Tensors reshape(const Call& call) {
  const at::Tensor& x = call.at(0);
  Integers shape = call.integers_at(1);
  if (call.integer("allowzero", 0) == 0) {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] != 0) continue;
      if (static_cast<std::int64_t>(i) >= x.dim())
        call.fail("it keeps an axis that does not exist");
      shape[i] = x.size(static_cast<std::int64_t>(i));
    }
  }
  return {x.reshape(shape)};
}

Tensors squeeze(const Call& call) {
  const at::Tensor& x = call.at(0);
  Integers axes = call.integers(1, "axes");
  for (std::int64_t& axis : axes) axis = axis_of(call, axis, x.dim());
  Integers shape;
  for (std::int64_t i = 0; i < x.dim(); ++i) {
    const bool named = std::ranges::find(axes, i) != axes.end();
    if (named && x.size(i) != 1)
      call.fail(format("its axis {} has {} values, not 1", i, x.size(i)));
    if (!named && !(axes.empty() && x.size(i) == 1)) shape.push_back(x.size(i));
  }
  return {x.reshape(shape)};
}

Tensors unsqueeze(const Call& call) {
  at::Tensor x = call.at(0);
  Integers axes = call.integers(1, "axes");
  const std::int64_t dimensions = x.dim() + static_cast<std::int64_t>(axes.size());
  for (std::int64_t& axis : axes) axis = axis_of(call, axis, dimensions);
  std::ranges::sort(axes);
  for (const std::int64_t axis : axes) x = x.unsqueeze(axis);
  return {x};
}

Tensors transpose(const Call& call) {
  const at::Tensor& x = call.at(0);
  Integers order = call.integers("perm");
  if (order.empty()) {
    for (std::int64_t i = x.dim(); i > 0; --i) order.push_back(i - 1);
  }
  return {x.permute(order)};
}

Tensors tile(const Call& call) {
  const at::Tensor& x = call.at(0);
  const Integers counts = call.integers_at(1);
  if (static_cast<std::int64_t>(counts.size()) != x.dim())
    call.fail("it has not one count an axis");
  Integers shape = x.sizes().vec();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (counts[i] < 0 || counts[i] > (std::int64_t{1} << 31)) call.fail("a count is out of range");
    shape[i] *= counts[i];
  }
  checked_shape(call, shape);
  return {x.repeat(counts)};
}

// Values along one axis from `start`, excluding `end`, with a step that may be negative.
at::Tensor sliced(const at::Tensor& x, std::int64_t axis, std::int64_t start, std::int64_t end,
                  std::int64_t step) {
  const std::int64_t size = x.size(axis);
  const auto from_begin = [&](std::int64_t place) { return place < 0 ? place + size : place; };
  if (step > 0) {
    start = std::clamp<std::int64_t>(from_begin(start), 0, size);
    end = std::clamp<std::int64_t>(from_begin(end), start, size);
    return x.slice(axis, start, end, step);
  }
  start = std::clamp<std::int64_t>(from_begin(start), -1, size - 1);
  // The end may be "before the first value", which is any number below -size.
  end = end < -size ? -1 : std::clamp<std::int64_t>(from_begin(end), -1, size - 1);
  if (start <= end) return x.slice(axis, 0, 0);
  return x.index_select(axis, at::arange(start, end, step, at::TensorOptions(at::kLong)));
}

Tensors slice(const Call& call) {
  at::Tensor x = call.at(0);
  const bool as_inputs = call.opset >= 10;
  const Integers starts = as_inputs ? call.integers_at(1) : call.integers("starts");
  const Integers ends = as_inputs ? call.integers_at(2) : call.integers("ends");
  Integers axes = call.integers(3, "axes");
  const Integers steps = call.has(4) ? call.integers_at(4) : Integers(starts.size(), 1);
  for (std::size_t i = axes.size(); axes.size() < starts.size(); ++i) {
    axes.push_back(static_cast<std::int64_t>(i));
  }
  if (ends.size() != starts.size() || axes.size() != starts.size() ||
      steps.size() != starts.size()) {
    call.fail("it has not one start, end and step an axis");
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (steps[i] == 0) call.fail("a step is 0");
    x = sliced(x, axis_of(call, axes[i], x.dim()), starts[i], ends[i], steps[i]);
  }
  return {x};
}

Tensors split(const Call& call) {
  const at::Tensor& x = call.at(0);
  const std::int64_t axis = axis_of(call, call.integer("axis", 0), x.dim());
  Integers sizes = call.integers(1, "split");
  if (sizes.empty()) {
    const auto parts = static_cast<std::int64_t>(call.node.outputs.size());
    const std::int64_t each = (x.size(axis) + parts - 1) / parts;
    for (std::int64_t left = x.size(axis), i = 0; i < parts; ++i, left -= sizes.back()) {
      sizes.push_back(std::min(each, left));
    }
  }
  return x.split_with_sizes(sizes, axis);
}

// Pads by zeros, by a value, by the edge or by a mirror image without the edge.
Tensors pad(const Call& call) {
  const at::Tensor& x = call.at(0);
  const Integers pads = call.integers(1, "pads");
  if (static_cast<std::int64_t>(pads.size()) != 2 * x.dim())
    call.fail("it has not two counts an axis");
  // LibTorch wants the last axis first, begin and end.
  Integers order;
  Integers shape = x.sizes().vec();
  for (std::int64_t i = x.dim(); i-- > 0;) {
    order.push_back(pads[i]);
    order.push_back(pads[i + x.dim()]);
    shape[i] += pads[i] + pads[i + x.dim()];
  }
  checked_shape(call, shape);
  const std::string mode = call.text("mode", "constant");
  if (mode == "constant") {
    const at::Scalar value = call.has(2) ? call.at(2).item() : at::Scalar(call.real("value", 0));
    return {at::constant_pad_nd(x, order, value)};
  }
  if (mode != "edge" && mode != "reflect")
    call.fail(format("the mode '{}' is not supported", mode));
  // LibTorch mirrors only trailing axes, and wants no counts for the others.
  while (order.size() >= 2 && order.back() == 0 && order[order.size() - 2] == 0) {
    order.resize(order.size() - 2);
  }
  if (order.empty()) return {x};
  return {at::pad(x, order, mode == "edge" ? "replicate" : "reflect")};
}

}  // namespace

Operators shape_operators() {
  return {
      {"Cast", cast},
      {"Concat", concatenate},
      {"Constant", constant},
      {"ConstantOfShape", constant_of_shape},
      {"Expand", expand},
      {"Flatten", flatten},
      {"Pad", pad},
      {"Range", range},
      {"Reshape", reshape},
      {"Shape", sizes_of},
      {"Size", size_of},
      {"Slice", slice},
      {"Split", split},
      {"Squeeze", squeeze},
      {"Tile", tile},
      {"Transpose", transpose},
      {"Unsqueeze", unsqueeze},
  };
}

}  // namespace fineprint::nets

// The operators of ONNX graphs, as LibTorch's.
// Source: the operators' definitions in the ONNX project (Operators.md), versions 9 to 21.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/onnx/graph.h"

namespace fineprint::nets {

using Tensors = std::vector<at::Tensor>;

// One run of a node: its constants and what it reads.
struct Call {
  const onnx::Node& node;
  std::int64_t opset = 0;
  Tensors inputs;  // undefined where the node leaves one out

  // Returns an input. Throws Error(model) if the node does not have it.
  const at::Tensor& at(std::size_t index) const;
  bool has(std::size_t index) const;
  // Returns the integers of an input, for example a shape or axes.
  std::vector<std::int64_t> integers_at(std::size_t index) const;

  // Return an attribute of the node, or `otherwise` if it does not have it.
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  double real(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, const std::string& otherwise) const;
  std::vector<std::int64_t> integers(std::string_view name,
                                     std::vector<std::int64_t> otherwise = {}) const;
  // Returns the integers of the input `index`, or if there is none, of the attribute. Newer
  // versions of many operators read as an input what was an attribute.
  std::vector<std::int64_t> integers(std::size_t index, std::string_view name) const;

  // Throws Error(model) naming the node, with the reason.
  [[noreturn]] void fail(const std::string& why) const;
};

using Operator = Tensors (*)(const Call&);
using Operators = std::map<std::string_view, Operator>;

// Each of these returns the operators of one kind by their names in ONNX.
Operators arithmetic_operators();
Operators shape_operators();
Operators index_operators();
Operators reduction_operators();
Operators image_operators();

// Returns a number of dimensions of `x` for an axis that may count from the end. Throws
// Error(model) if `x` has no such axis.
std::int64_t axis_of(const Call& call, std::int64_t axis, std::int64_t dimensions);

// Returns the shape. Throws Error(model) if an array of this shape would have over 2^31 values,
// because a damaged file could otherwise ask for any amount of memory.
std::vector<std::int64_t> checked_shape(const Call& call, std::vector<std::int64_t> shape);

}  // namespace fineprint::nets

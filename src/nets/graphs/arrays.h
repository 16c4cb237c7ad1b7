// Arrays of ONNX files as tensors, and back.
#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "fineprint/onnx/graph.h"

namespace fineprint::nets {

// Returns the type of tensors for this type of arrays.
at::ScalarType scalar_type_of(tensorfile::Dtype dtype);
// Returns the type of tensors with this number in ONNX (TensorProto.DataType); nullopt if none.
std::optional<at::ScalarType> scalar_type_of_number(std::int64_t number);
// Returns a copy of the values.
at::Tensor tensor_of(const onnx::Array& array);
onnx::Array array_of(const at::Tensor& tensor);

}  // namespace fineprint::nets

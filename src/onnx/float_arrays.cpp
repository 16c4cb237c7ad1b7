#include "fineprint/onnx/float_arrays.h"

#include <utility>

namespace fineprint::onnx {

Array float_array(std::vector<std::int64_t> shape) {
  Array array{.dtype = tensorfile::Dtype::f32, .shape = std::move(shape), .bytes = {}};
  array.bytes.resize(static_cast<std::size_t>(array.element_count()) * sizeof(float));
  return array;
}

std::span<const float> floats_of(const Array& array) {
  return {reinterpret_cast<const float*>(array.bytes.data()), array.bytes.size() / sizeof(float)};
}

std::span<float> floats_of(Array& array) {
  return {reinterpret_cast<float*>(array.bytes.data()), array.bytes.size() / sizeof(float)};
}

bool has_shape(const Array& array, const std::vector<std::int64_t>& wanted) {
  if (array.dtype != tensorfile::Dtype::f32 || array.shape.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool fits = wanted[i] < 0 ? array.shape[i] > 0 : array.shape[i] == wanted[i];
    if (!fits) return false;
  }
  return true;
}

}  // namespace fineprint::onnx

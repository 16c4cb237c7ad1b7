// Arrays of floats, as the networks that read pictures take and give them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/onnx/graph.h"

namespace fineprint::onnx {

// Returns an array of zeros.
Array float_array(std::vector<std::int64_t> shape);

// Return the values of an array of floats.
std::span<const float> floats_of(const Array& array);
std::span<float> floats_of(Array& array);

// Returns whether an array has floats and the shape `wanted`; -1 is any length above 0.
bool has_shape(const Array& array, const std::vector<std::int64_t>& wanted);

}  // namespace fineprint::onnx

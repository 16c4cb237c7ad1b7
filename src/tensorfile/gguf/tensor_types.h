// The element types of a GGUF file's arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// How the values of an array are stored: one by one, or in blocks (then `dtype` is F32).
struct TensorType {
  Dtype dtype = Dtype::f32;
  std::optional<BlockType> blocks;
};

// Returns the type with the format's number, or nullopt if it is not supported.
std::optional<TensorType> tensor_type_of(std::uint32_t number);
// Returns the name of any type that the format has, supported or not; an empty text for others.
std::string_view tensor_type_name(std::uint32_t number);

}  // namespace fineprint::tensorfile

// The element types of a GGUF file's arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// How the values of an array lie: one by one, or in blocks (then `dtype` is F32).
struct TensorType {
  Dtype dtype = Dtype::f32;
  std::optional<BlockType> blocks;
};

// By the format's number; nullopt for a type that is not read.
std::optional<TensorType> tensor_type_of(std::uint32_t number);
// Of a type that the format has, read or not; empty for any other.
std::string_view tensor_type_name(std::uint32_t number);

}  // namespace fineprint::tensorfile

// Shared by reading and writing: element types by name, and the size of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

// The file starts with the length of the header, in 8 little-endian bytes.
inline constexpr std::size_t kPrefixBytes = 8;

// Returns the type of this name, or nullopt if there is none.
std::optional<Dtype> dtype_of(std::string_view name);

// Returns the bytes of an array, or nullopt if an extent is negative or the product overflows.
std::optional<std::uint64_t> checked_bytes(Dtype dtype, std::span<const std::int64_t> shape);

}  // namespace fineprint::tensorfile

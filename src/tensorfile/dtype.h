// What reading and writing share: element types by name, and the size of an array of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::tensorfile {

inline constexpr std::size_t kPrefixBytes =
    8;  // at the file's start: little-endian length of the header

std::optional<Dtype> dtype_of(std::string_view name);

// The bytes of an array; nullopt when an extent is negative or the product overflows.
std::optional<std::uint64_t> checked_bytes(Dtype dtype, std::span<const std::int64_t> shape);

}  // namespace fineprint::tensorfile

// Looks for NaN and infinities in stored numbers.
#pragma once

#include <cstdint>
#include <span>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// Whether all values are finite. F32, F16 and BF16, aligned to their size.
bool all_finite(tensorfile::Dtype dtype, std::span<const std::uint8_t> bytes);

}  // namespace fineprint::models

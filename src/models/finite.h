// Finds NaN and infinities in stored numbers.
#pragma once

#include <cstdint>
#include <span>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// Returns true if all values in a part of an array are finite. The part consists of whole blocks,
// of F8_E4M3 or integers, or of F32, F16 or BF16 aligned to their size. Of a coded matrix, all
// scales are checked at once.
bool all_finite(const tensorfile::TensorView& view, std::span<const std::uint8_t> bytes);

}  // namespace fineprint::models

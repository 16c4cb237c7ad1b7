// Looks for NaN and infinities in stored numbers.
#pragma once

#include <cstdint>
#include <span>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::models {

// Whether all values in a part of an array are finite: whole blocks, F8_E4M3 and integers, or F32,
// F16 and BF16 aligned to their size. Of a coded matrix its scales are looked at, all at once.
bool all_finite(const tensorfile::TensorView& view, std::span<const std::uint8_t> bytes);

}  // namespace fineprint::models

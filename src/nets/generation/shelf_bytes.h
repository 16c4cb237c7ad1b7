// How saved states and features lie on a shelf: as they are, or states in a narrower format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Throws Error(usage) unless `dtype` is auto, float16, bfloat16 or int8.
void check_shelf_dtype(const std::string& dtype);
// Whether what comes back differs from what was put there.
bool is_narrower(const std::string& dtype, at::ScalarType model_dtype);

// From bytes of SequenceState::save, and back. int8: one scale for a row of values, as a head's key
// or value. Throws Error(input) for bytes that were not made so.
std::vector<std::uint8_t> to_shelf_bytes(std::span<const std::uint8_t> saved,
                                         const std::string& dtype);
std::vector<std::uint8_t> from_shelf_bytes(std::span<const std::uint8_t> shelved);

// A matrix as bytes, and back, on the CPU. Throws Error(input) for bytes that were not made so.
std::vector<std::uint8_t> rows_to_bytes(const at::Tensor& rows);
at::Tensor rows_from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace fineprint::nets

// Encodes states and features for the shelf: unchanged, or states in a narrower number format.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Throws Error(usage) if `dtype` is not auto, float16, bfloat16 or int8.
void check_shelf_dtype(const std::string& dtype);
// Returns true if a state that is read back differs from the one that was stored.
bool is_narrower(const std::string& dtype, at::ScalarType model_dtype);

// Convert the bytes of SequenceState::save for the shelf, and back. int8 keeps one scale for each
// row of values, for example, for a head's key. Throw Error(input) if the bytes are damaged.
std::vector<std::uint8_t> to_shelf_bytes(std::span<const std::uint8_t> saved,
                                         const std::string& dtype);
std::vector<std::uint8_t> from_shelf_bytes(std::span<const std::uint8_t> shelved);

// Convert a matrix to bytes, and back to a matrix on the CPU. Throws Error(input) if the bytes are
// damaged.
std::vector<std::uint8_t> rows_to_bytes(const at::Tensor& rows);
at::Tensor rows_from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace fineprint::nets

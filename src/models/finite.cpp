// Finds NaN and infinities: numbers whose exponent bits are all ones.
#include "models/finite.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/tensorfile/coded.h"

namespace fineprint::models {
namespace {

// Returns true if all numbers, as bits without sign, are below infinity. A larger one is infinite
// or NaN. Computes a maximum, which compilers vectorise, unlike a loop with an early return.
template <class Bits>
bool under(std::span<const std::uint8_t> bytes, Bits without_sign, Bits infinity) {
  const auto* values = reinterpret_cast<const Bits*>(bytes.data());
  const std::size_t count = bytes.size() / sizeof(Bits);
  Bits largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, static_cast<Bits>(values[i] & without_sign));
  }
  return largest < infinity;
}

}  // namespace

bool all_finite(const tensorfile::TensorView& view, std::span<const std::uint8_t> bytes) {
  if (view.blocks) return tensorfile::all_finite(*view.blocks, bytes);
  if (view.coded) return tensorfile::scales_are_finite(*view.coded);
  switch (view.dtype) {
    case tensorfile::Dtype::f32:
      return under<std::uint32_t>(bytes, 0x7FFFFFFF, 0x7F800000);
    case tensorfile::Dtype::f16:
      return under<std::uint16_t>(bytes, 0x7FFF, 0x7C00);
    case tensorfile::Dtype::bf16:
      return under<std::uint16_t>(bytes, 0x7FFF, 0x7F80);
    case tensorfile::Dtype::f8_e4m3:  // has no infinities, and one NaN of either sign
      return under<std::uint8_t>(bytes, 0x7F, 0x7F);
    case tensorfile::Dtype::i8:  // codes
    case tensorfile::Dtype::i32:
      return true;
    default:
      throw Error(ErrorCode::internal, "all_finite: weights cannot have this type");
  }
}

}  // namespace fineprint::models

// Products of stored matrices for any processor, in the compiler's vector types.
#include <bit>
#include <cstring>

#include "nets/products/kernel.h"

#define FINEPRINT_TARGET

namespace fineprint::nets {
namespace {

// Converts float16. Source: IEEE 754-2008, section 3.4.
inline float half_value(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | (magnitude << 13));
  // Shifted into place, the bits give the value times 2^-112, even for denormals.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}

struct Set {
  using Lanes = float __attribute__((vector_size(16)));
  static constexpr std::int64_t kLanes = 4;
  static constexpr std::int64_t kGroup = 4;
  static constexpr int rows_beside(int vectors) { return vectors > 3 ? 2 : 4; }

  static Lanes load(const float* at) {
    Lanes lanes;
    std::memcpy(&lanes, at, sizeof lanes);
    return lanes;
  }
  static void store(float* at, Lanes lanes) { std::memcpy(at, &lanes, sizeof lanes); }
  static Lanes all(float value) { return Lanes{value, value, value, value}; }
  static Lanes times(Lanes a, Lanes b) { return a * b; }
  static Lanes add_product(Lanes a, Lanes b, Lanes sum) { return sum + a * b; }
  static float sum(Lanes lanes) { return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]); }

  template <MatrixFormat kFormat>
  static Lanes widened(const std::uint8_t* at) {
    if constexpr (kFormat == MatrixFormat::float32) {
      Lanes lanes;
      std::memcpy(&lanes, at, sizeof lanes);
      return lanes;
    } else if constexpr (kFormat == MatrixFormat::int8) {
      std::int8_t codes[kLanes];
      std::memcpy(codes, at, sizeof codes);
      return Lanes{float(codes[0]), float(codes[1]), float(codes[2]), float(codes[3])};
    } else {
      std::uint16_t bits[kLanes];
      std::memcpy(bits, at, sizeof bits);
      Lanes lanes;
      for (int i = 0; i < kLanes; ++i) {
        lanes[i] = kFormat == MatrixFormat::float16
                       ? half_value(bits[i])
                       : std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]) << 16);
      }
      return lanes;
    }
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/products/tiles.h"

namespace fineprint::nets {
const ProductKernel kProductPortable = {Set::kGroup, multiply, widen_row};
}  // namespace fineprint::nets

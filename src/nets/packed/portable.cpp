// The steps of a text encoder for any processor, in the compiler's vector types.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "nets/packed/panels.h"

#define FINEPRINT_TARGET

namespace fineprint::nets {
namespace {

// Four floats are one register of SSE or NEON.
struct Set {
  using Lanes = float __attribute__((vector_size(16)));
  static constexpr std::int64_t kLanes = 4;
  static constexpr int kTileRows = 4;

  static Lanes load(const float* at) {
    Lanes lanes;
    std::memcpy(&lanes, at, sizeof lanes);
    return lanes;
  }
  static void store(float* at, Lanes lanes) { std::memcpy(at, &lanes, sizeof lanes); }
  static Lanes all(float value) { return Lanes{value, value, value, value}; }
  static Lanes add(Lanes a, Lanes b) { return a + b; }
  static Lanes subtract(Lanes a, Lanes b) { return a - b; }
  static Lanes times(Lanes a, Lanes b) { return a * b; }
  static Lanes divide(Lanes a, Lanes b) { return a / b; }
  static Lanes add_product(Lanes a, Lanes b, Lanes sum) { return sum + a * b; }
  static Lanes least(Lanes a, Lanes b) { return a < b ? a : b; }
  static Lanes largest(Lanes a, Lanes b) { return a > b ? a : b; }
  // Rounds half to even, as the instructions of the other sets do.
  static Lanes round(Lanes a) {
    return each(a, [](float value) { return std::nearbyint(value); });
  }
  static Lanes times_power_of_2(Lanes a, Lanes power) {
    return a * each(power, [](float value) { return std::ldexp(1.0F, static_cast<int>(value)); });
  }
  static float sum(Lanes lanes) { return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]); }
  static float least_of(Lanes lanes) {
    return std::min(std::min(lanes[0], lanes[1]), std::min(lanes[2], lanes[3]));
  }
  static float largest_of(Lanes lanes) {
    return std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
  }
  static Lanes chosen(const float* from, const std::uint8_t* which) {
    return Lanes{from[which[0]], from[which[1]], from[which[2]], from[which[3]]};
  }
  static void store_codes(std::uint8_t* at, Lanes codes) {
    for (int i = 0; i < kLanes; ++i) at[i] = static_cast<std::uint8_t>(codes[i]);
  }
  static Lanes widened(const std::int32_t* at) {
    return Lanes{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]),
                 static_cast<float>(at[3])};
  }

  using Code = std::uint8_t;
  using Weight = std::int8_t;
  static const Weight* columns_of(const std::int8_t* panel, std::int64_t, Weight*) { return panel; }

  static constexpr int kCodeRows = 4;
  static constexpr std::int64_t kCodeColumns = 8;

  template <int kRows>
  static void add_codes(const std::uint8_t* x, std::int64_t step, const std::int8_t* panel,
                        std::int64_t quads, std::int32_t* sums) {
    std::fill_n(sums, kRows * kCodeColumns, 0);
    for (std::int64_t q = 0; q < quads; ++q, x += 4, panel += kPanel * kCodesAtATime) {
      for (int r = 0; r < kRows; ++r) {
        const std::uint8_t* four = x + r * step;
        for (std::int64_t c = 0; c < kCodeColumns; ++c) {
          const std::int8_t* column = panel + 4 * c;
          sums[r * kCodeColumns + c] +=
              four[0] * column[0] + four[1] * column[1] + four[2] * column[2] + four[3] * column[3];
        }
      }
    }
  }

 private:
  template <typename Function>
  static Lanes each(Lanes a, const Function& function) {
    return Lanes{function(a[0]), function(a[1]), function(a[2]), function(a[3])};
  }
};

}  // namespace
}  // namespace fineprint::nets

#include "nets/packed/codes.h"
#include "nets/packed/rows.h"

namespace fineprint::nets {
const RowsKernel kRowsPortable = {multiply_all, softmax, add_by_kind, norm};
const CodesKernel kCodesPortable = kCodesOfSet;
}  // namespace fineprint::nets

// MaxSim by signs without instructions for vectors.
#include <algorithm>

#include "score/max_sim_signs_kernels.h"

namespace fineprint::score {
namespace {

void sum(const std::uint8_t* block, const std::uint8_t* tables, std::size_t pairs,
         std::size_t vectors, std::uint16_t* sums) {
  constexpr std::size_t kHalf = kSignRows / 2;
  std::fill_n(sums, vectors * kSignRows, std::uint16_t{0});
  for (std::size_t n = 0; n < vectors; ++n) {
    std::uint16_t* own = sums + n * kSignRows;
    for (std::size_t group = 0; group < 2 * pairs; ++group) {
      const std::uint8_t* table = tables + (n * 2 * pairs + group) * kHalf;
      const std::uint8_t* codes = block + group * kHalf;
      for (std::size_t j = 0; j < kHalf; ++j) {
        own[j] = static_cast<std::uint16_t>(own[j] + table[codes[j] & 15]);
        own[kHalf + j] = static_cast<std::uint16_t>(own[kHalf + j] + table[codes[j] >> 4]);
      }
    }
  }
}

void raise(const std::uint16_t* sums, const float* factors, float step, float base,
           float* largest) {
  for (std::size_t r = 0; r < kSignRows; ++r) {
    const float product = factors[r] * (static_cast<float>(sums[r]) * step + base);
    largest[r] = product > largest[r] ? product : largest[r];
  }
}

}  // namespace

const SignKernel kSignsPortable = {sum, raise};

}  // namespace fineprint::score

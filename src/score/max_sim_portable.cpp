// MaxSim's kernels in plain C++, written so that any compiler can use vector registers.
#include <cstring>

#include "score/max_sim_kernels.h"
#include "score/max_sim_scan.h"

namespace fineprint::score {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kTile = 4;

void transpose(const std::uint8_t* const* rows, std::size_t bytes, std::uint32_t* out) {
  for (std::size_t w = 0; w < bytes / sizeof *out; ++w) {
    for (std::size_t r = 0; r < kLanes; ++r) {
      std::memcpy(out + w * kLanes + r, rows[r] + w * sizeof *out, sizeof *out);
    }
  }
}

template <std::size_t N>
void multiply(const float* block, const float* tile, std::size_t dim, const std::uint8_t*,
              float* largest) {
  float sums[N][kLanes] = {};
  for (std::size_t d = 0; d < dim; ++d, block += kLanes, tile += N) {
    for (std::size_t n = 0; n < N; ++n) {
      for (std::size_t r = 0; r < kLanes; ++r) sums[n][r] += block[r] * tile[n];
    }
  }
  for (std::size_t n = 0; n < N; ++n) {
    for (std::size_t r = 0; r < kLanes; ++r, ++largest) *largest = larger(*largest, sums[n][r]);
  }
}

}  // namespace

const MaxSimKernel kMaxSimPortable{
    kLanes, kTile, decode_row, transpose, {multiply<1>, multiply<2>, multiply<3>, multiply<4>}};

}  // namespace fineprint::score

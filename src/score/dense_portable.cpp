// Dot products in plain C++, arranged so that any compiler can use vector registers.
#include <array>

#include "score/dense_kernels.h"

namespace fineprint::score {
namespace {

// Sums are floating point, so a compiler may not regroup one chain; eight chains it may keep side
// by side.
constexpr std::size_t kLanes = 8;

float dot(const float* a, const float* b, std::size_t dim) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= dim; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  float total = 0;
  for (; i < dim; ++i) total += a[i] * b[i];
  for (const float sum : sums) total += sum;
  return total;
}

}  // namespace

void dot_rows_portable(const float* query, const float* rows, std::size_t count, std::size_t dim,
                       float* scores) {
  for (std::size_t r = 0; r < count; ++r) scores[r] = dot(query, rows + r * dim, dim);
}

}  // namespace fineprint::score

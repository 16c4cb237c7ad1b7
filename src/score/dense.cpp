// Passes one query to the best kernel for this processor, and measures what codes lose.
#include "fineprint/score/dense.h"

#include <cmath>
#include <limits>

#include "score/kernels.h"

namespace fineprint::score {

void dot_rows(const float* query, const VectorRows& rows, float* scores) {
  kernels().dense.best().dot(query, rows, scores);
}

std::vector<float> code_errors(const VectorRows& codes, const VectorRows& exact) {
  std::vector<float> errors(codes.count);
  for (std::size_t r = 0; r < codes.count; ++r) {
    const auto* row = reinterpret_cast<const float*>(exact.row(r));
    double squares = 0;
    for (std::size_t i = 0; i < codes.dim; ++i) {
      const double decoded = double{codes.scales[r]} * static_cast<std::int8_t>(codes.row(r)[i]);
      squares += (row[i] - decoded) * (row[i] - decoded);
    }
    // Rounded up, because a bound must not be too small. The sum in float64 has a relative error
    // far below 1e-9.
    errors[r] = std::nextafter(static_cast<float>(std::sqrt(squares) * (1 + 1e-9)),
                               std::numeric_limits<float>::infinity());
  }
  return errors;
}

}  // namespace fineprint::score

// Hands one query to the kernel for the processor at hand.
#include "fineprint/score/dense.h"

#include "score/kernels.h"

namespace fineprint::score {

void dot_rows(const float* query, const VectorRows& rows, float* scores) {
  kernels().dense.best().dot(query, rows, scores);
}

}  // namespace fineprint::score

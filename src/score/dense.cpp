// Passes one query to the best kernel for this processor.
#include "fineprint/score/dense.h"

#include "score/kernels.h"

namespace fineprint::score {

void dot_rows(const float* query, const VectorRows& rows, float* scores) {
  kernels().dense.best().dot(query, rows, scores);
}

}  // namespace fineprint::score

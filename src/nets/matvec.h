// A matrix times one vector: what every layer does for each token of a reply.
#pragma once

#include <cstdint>

namespace fineprint::nets {

// y[r] = weight[r] . x + bias[r] with weight [rows, columns], row-major; `bias` may be nullptr.
// Bound by reading the weights once from memory. Runs on LibTorch's threads of the caller.
void matvec(const float* weight, const float* x, const float* bias, std::int64_t rows,
            std::int64_t columns, float* y);

}  // namespace fineprint::nets

// Results on their way out of LibTorch.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/core/matrix.h"

namespace fineprint::nets {

// [rows, cols], from any device and float format.
Matrix to_matrix(const at::Tensor& values);

}  // namespace fineprint::nets

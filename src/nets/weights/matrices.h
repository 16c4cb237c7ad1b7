// Copies results out of LibTorch, so that other rooms need not include its headers.
#pragma once

#include <ATen/core/Tensor.h>

#include "fineprint/core/matrix.h"

namespace fineprint::nets {

// Returns a tensor [rows, cols] of any device and float format as a Matrix in float32.
Matrix to_matrix(const at::Tensor& values);

}  // namespace fineprint::nets

// Matrices of quantised folders that stay in codes, on the CPU.
#pragma once

#include "fineprint/tensorfile/coded.h"

#include "nets/weights/products.h"

namespace fineprint::nets {

// Whether products take the matrix in its codes.
bool may_stay_in_groups(const tensorfile::CodedMatrix& coded);

// Its codes in the order of products, with a step and a least value for each group of columns of
// each row. On LibTorch's threads.
HeldMatrix hold_groups(const tensorfile::CodedMatrix& coded);

}  // namespace fineprint::nets

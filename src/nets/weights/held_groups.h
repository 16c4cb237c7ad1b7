// Matrices of quantised folders that stay in codes, on the CPU.
#pragma once

#include "fineprint/tensorfile/coded.h"

#include "nets/weights/products.h"

namespace fineprint::nets {

// Returns true if products can take the matrix in its codes.
bool may_stay_in_groups(const tensorfile::CodedMatrix& coded);

// Returns the codes in the order that products need, with a step and a least value for each group
// of columns in each row. Runs on LibTorch's threads.
HeldMatrix hold_groups(const tensorfile::CodedMatrix& coded);

}  // namespace fineprint::nets

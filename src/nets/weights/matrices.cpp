// Copies results out of LibTorch.
#include "nets/weights/matrices.h"

#include <algorithm>

namespace fineprint::nets {

Matrix to_matrix(const at::Tensor& values) {
  const at::Tensor host = values.to(at::kCPU, at::kFloat).contiguous();
  Matrix matrix{static_cast<std::size_t>(host.size(0)), static_cast<std::size_t>(host.size(1)),
                std::vector<float>(static_cast<std::size_t>(host.numel()))};
  std::copy_n(host.const_data_ptr<float>(), matrix.values.size(), matrix.values.begin());
  return matrix;
}

}  // namespace fineprint::nets

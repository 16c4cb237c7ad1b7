// The gated delta rule: a matrix a head that each token reads and changes.
#pragma once

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// What T tokens do, in float32. Source: Yang et al., "Gated Delta Networks" (2025), section 3.
struct DeltaTokens {
  at::Tensor query, key;  // [heads, T, key_dim]
  at::Tensor value;       // [heads, T, value_dim]
  at::Tensor decay;       // [heads, T]; the logarithm of what is left of the matrix, at most 0
  at::Tensor rate;        // [heads, T]; how much of a new value is learnt, 0 to 1
};

// S_t = e^decay S_(t-1) + k (rate (v - e^decay S_(t-1)^T k))^T, of which query reads S_t^T q.
// `before` [heads, key_dim, value_dim]; undefined: zeros. Leaves the last matrices in `after`,
// which is not `before`. Returns [heads, T, value_dim]. Tokens are taken 64 at a time as products
// of matrices, a single one on the CPU by a loop of its own. Source of the former: ibid., equation
// 10; Yang et al., "Parallelizing Linear Transformers with the Delta Rule" (2024), section 3.2.
at::Tensor delta_rule(const DeltaTokens& tokens, const at::Tensor& before, at::Tensor after);

}  // namespace fineprint::nets

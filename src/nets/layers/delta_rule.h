// The gated delta rule: one matrix for each head, which every token reads and changes.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// The inputs of T tokens, in float32. Source: Yang et al., "Gated Delta Networks" (2025), section
// 3.
struct DeltaTokens {
  at::Tensor query, key;  // [heads, T, key_dim]
  at::Tensor value;       // [heads, T, value_dim]
  at::Tensor decay;       // [heads, T]; logarithm of the factor on the old matrix, at most 0
  at::Tensor rate;        // [heads, T]; share of a new value that is learnt, 0 to 1
};

// The most tokens that are read one after the other.
constexpr std::int64_t kFewDeltaTokens = 16;

// Computes S_t = e^decay S_(t-1) + k (rate (v - e^decay S_(t-1)^T k))^T and returns S_t^T q for
// each token: [heads, T, value_dim]. `before` is S_0 [heads, key_dim, value_dim]; if undefined,
// zeros. Writes the last matrices to `after`, which must not be `before`. Reads 64 tokens at a time
// as products of matrices, but up to kFewDeltaTokens on the CPU one after the other, so that their
// results do not depend on how many are read together. Source of the former: ibid., equation 10;
// Yang et al., "Parallelizing Linear Transformers with the Delta Rule" (2024), section 3.2.
at::Tensor delta_rule(const DeltaTokens& tokens, const at::Tensor& before, at::Tensor after);

}  // namespace fineprint::nets

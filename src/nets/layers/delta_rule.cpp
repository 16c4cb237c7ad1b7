// Computes the gated delta rule: one matrix for each head, which every token reads and changes.
#include "nets/layers/delta_rule.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros_like.h>

#include "nets/layers/clones.h"
#include "nets/layers/parallel.h"

namespace fineprint::nets {
namespace {

// Tokens of one matrix product. Larger chunks cost more in the triangular system, smaller ones more
// calls.
constexpr std::int64_t kChunk = 64;

// One token of one head. The matrix has a row for each number of the key.
struct HeadStep {
  const float *query, *key, *value, *before;
  float *after, *result, *learnt;
  float left, rate;
  std::int64_t key_dim, value_dim;
};

FINEPRINT_CLONES void take_head_step(const HeadStep& step) {
  const std::int64_t width = step.value_dim;
  std::fill_n(step.learnt, width, 0.0F);
  for (std::int64_t i = 0; i < step.key_dim; ++i) {
    const float* row = step.before + i * width;
    const float key = step.left * step.key[i];
    for (std::int64_t j = 0; j < width; ++j) step.learnt[j] += key * row[j];
  }
  for (std::int64_t j = 0; j < width; ++j) {
    step.learnt[j] = step.rate * (step.value[j] - step.learnt[j]);
  }
  std::fill_n(step.result, width, 0.0F);
  for (std::int64_t i = 0; i < step.key_dim; ++i) {
    const float* row = step.before + i * width;
    float* next = step.after + i * width;
    for (std::int64_t j = 0; j < width; ++j) {
      next[j] = step.left * row[j] + step.key[i] * step.learnt[j];
      step.result[j] += step.query[i] * next[j];
    }
  }
}

// A single token needs no products of matrices, and a plain loop reads the matrix only twice. That
// is the common case while a reply is written. A few tokens take this loop several times.
at::Tensor delta_few_tokens(const DeltaTokens& tokens, const at::Tensor& before,
                            const at::Tensor& after) {
  const at::Tensor query = tokens.query.contiguous(), key = tokens.key.contiguous();
  const at::Tensor value = tokens.value.contiguous(), decay = tokens.decay.contiguous();
  const at::Tensor rate = tokens.rate.contiguous();
  const std::int64_t heads = key.size(0), total = key.size(1);
  const std::int64_t k = key.size(2), v = value.size(2);
  at::Tensor result = at::empty({heads, total, v}, value.options());
  const auto *queries = query.const_data_ptr<float>(), *keys = key.const_data_ptr<float>();
  const auto *values = value.const_data_ptr<float>(), *decays = decay.const_data_ptr<float>();
  const auto *rates = rate.const_data_ptr<float>(), *from = before.const_data_ptr<float>();
  auto *to = after.mutable_data_ptr<float>(), *results = result.mutable_data_ptr<float>();
  parallel_loop(0, heads, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> learnt(static_cast<std::size_t>(v));
    std::vector<float> spare(static_cast<std::size_t>(total > 1 ? k * v : 0));
    for (std::int64_t h = begin; h < end; ++h) {
      const float* now = from + h * k * v;
      for (std::int64_t t = h * total; t < (h + 1) * total; ++t) {
        // Alternates between two matrices, so that the last one is in its place.
        float* next = ((h + 1) * total - t) % 2 == 1 ? to + h * k * v : spare.data();
        take_head_step({queries + t * k, keys + t * k, values + t * v, now, next, results + t * v,
                        learnt.data(), std::exp(decays[t]), rates[t], k, v});
        now = next;
      }
    }
  });
  return result;
}

// Computes the tokens of one chunk and updates `matrices` to their values after it. Let G be the
// decay summed up from the chunk's beginning. Token i then learns
// u_i = rate_i (v_i - e^(G_i) S^T k_i - sum over j < i of e^(G_i - G_j) (k_i k_j) u_j),
// which is a triangular system.
at::Tensor delta_chunk(const DeltaTokens& tokens, at::Tensor* matrices) {
  // In double, because sums of strong decays are large and their small differences matter.
  const at::Tensor sums = tokens.decay.to(at::kDouble).cumsum(1);         // [H, C]
  const at::Tensor since_start = sums.exp().to(at::kFloat).unsqueeze(2);  // [H, C, 1]
  const at::Tensor rate = tokens.rate.unsqueeze(2);                       // [H, C, 1]
  // e^(G_i - G_j) for j <= i. The first tril_ removes the others, because exp could overflow there.
  const at::Tensor between =
      (sums.unsqueeze(2) - sums.unsqueeze(1)).to(at::kFloat).tril_().exp_().tril_();
  const at::Tensor keys_t = tokens.key.transpose(1, 2);                               // [H, k, C]
  const at::Tensor system = at::matmul(tokens.key, keys_t).mul_(between).mul_(rate);  // [H, C, C]
  const at::Tensor wanted =
      (tokens.value - at::matmul(tokens.key, *matrices).mul_(since_start)).mul_(rate);  // [H, C, v]
  const at::Tensor learnt = at::linalg_solve_triangular(system.tril(-1), wanted, /*upper=*/false,
                                                        /*left=*/true, /*unitriangular=*/true);
  const at::Tensor seen = at::matmul(tokens.query, keys_t).mul_(between);  // [H, C, C]
  at::Tensor result = at::matmul(tokens.query, *matrices).mul_(since_start);
  result.add_(at::matmul(seen, learnt));                                       // [H, C, v]
  const at::Tensor last = sums.narrow(1, sums.size(1) - 1, 1);                 // [H, 1]
  const at::Tensor to_end = (last - sums).to(at::kFloat).exp_().unsqueeze(1);  // [H, 1, C]
  *matrices = (*matrices * last.exp().to(at::kFloat).unsqueeze(2))
                  .add_(at::matmul(keys_t * to_end, learnt));
  return result;
}

}  // namespace

at::Tensor delta_rule(const DeltaTokens& tokens, const at::Tensor& before, at::Tensor after) {
  const std::int64_t total = tokens.key.size(1);
  at::Tensor matrices = before.defined() ? before : at::zeros_like(after);
  // The loop for one token writes in place, which gradients cannot follow.
  const bool trained = tokens.key.requires_grad() || tokens.value.requires_grad();
  if (total <= kFewDeltaTokens && matrices.is_cpu() && !trained) {
    return delta_few_tokens(tokens, matrices.contiguous(), after);
  }
  std::vector<at::Tensor> results;
  for (std::int64_t begin = 0; begin < total; begin += kChunk) {
    const std::int64_t count = std::min(kChunk, total - begin);
    const auto slice_of_chunk = [&](const at::Tensor& x) { return x.narrow(1, begin, count); };
    results.push_back(delta_chunk(
        {slice_of_chunk(tokens.query), slice_of_chunk(tokens.key), slice_of_chunk(tokens.value),
         slice_of_chunk(tokens.decay), slice_of_chunk(tokens.rate)},
        &matrices));
  }
  after.copy_(matrices);
  return results.size() == 1 ? results[0] : at::cat(results, 1);
}

}  // namespace fineprint::nets

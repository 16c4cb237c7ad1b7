// Computes attention in both directions within a window.
#include "nets/layers/window_attention.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

namespace fineprint::nets {
namespace {

// Attends with a bias, if one is given. query is [heads, T, d], key and value are [kv_heads, S, d].
// Returns [T, heads, d].
at::Tensor attend_biased(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const std::optional<at::Tensor>& bias) {
  const std::int64_t kv_heads = key.size(0), group = query.size(0) / kv_heads;
  const auto for_each_head = [&](const at::Tensor& x) {  // [kv, S, d] -> [1, heads, S, d]
    return x.unsqueeze(1)
        .expand({kv_heads, group, x.size(1), x.size(2)})
        .reshape({1, kv_heads * group, x.size(1), x.size(2)});
  };
  return at::scaled_dot_product_attention(query.unsqueeze(0), for_each_head(key),
                                          for_each_head(value), bias)
      .squeeze(0)
      .transpose(0, 1);
}

// Returns 0 where a query sees a key and -inf elsewhere, for queries [from, from + count) and keys
// from `first` on.
at::Tensor window_bias(std::int64_t from, std::int64_t count, std::int64_t first, std::int64_t keys,
                       std::int64_t window, const at::TensorOptions& options) {
  const at::Tensor rows = at::arange(from, from + count, options).unsqueeze(1);
  const at::Tensor columns = at::arange(first, first + keys, options).unsqueeze(0);
  const at::Tensor apart = (rows - columns).abs();  // [count, keys]
  return at::where(apart <= static_cast<double>(window), at::zeros({}, options),
                   at::zeros({}, options).fill_(-std::numeric_limits<double>::infinity()));
}

}  // namespace

at::Tensor attend_window(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         std::int64_t window, std::int64_t seen) {
  const std::int64_t total = query.size(1);
  at::Tensor result = at::empty({total, query.size(0), query.size(2)}, query.options());
  // So many queries at a time that they see about as many keys on each side as they are themselves.
  const std::int64_t step = std::max<std::int64_t>(window, 16);
  // Positions are compared as float32, which represents every position of a sequence exactly.
  const auto options = at::TensorOptions(query.device()).dtype(at::kFloat);
  for (std::int64_t from = 0; from < total; from += step) {
    const std::int64_t count = std::min(step, total - from);
    const std::int64_t first = std::max<std::int64_t>(0, from - window);
    const std::int64_t keys =
        std::max<std::int64_t>(0, std::min(seen, from + count + window) - first);
    // Most blocks at the edges see all of their keys, and then a bias would cost time for nothing.
    const bool all_seen = from + count - 1 - window <= first && first + keys - 1 <= from + window;
    std::optional<at::Tensor> bias;
    if (!all_seen) {
      bias = window_bias(from, count, first, keys, window, options).to(query.scalar_type());
    }
    result.narrow(0, from, count)
        .copy_(attend_biased(query.narrow(1, from, count), key.narrow(1, first, keys),
                             value.narrow(1, first, keys), bias));
  }
  return result.view({total, query.size(0) * query.size(2)});
}

}  // namespace fineprint::nets

// Attention over one sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Which keys a query sees.
enum class Mask {
  none,    // every query sees every key
  causal,  // query t sees keys up to its own; the queries are the last T of the S tokens
};

// The tokens [begin, end), counted among the queries.
struct TokenSpan {
  std::int64_t begin = 0, end = 0;
};

// Returns softmax(q k / sqrt(d)) v as [T, heads * d]. query is [heads, T, d]; key and value are
// [kv_heads, S, d]. `heads` is a multiple of kv_heads, and neighbouring heads share a key; for
// example, with 8 heads and 2 kv_heads, heads 0 to 3 use key 0. With a window, a causal query sees
// only the last `window` of its keys, its own included. Causal queries of a span in `both_ways`
// also see the later keys of that span. Sources: Vaswani et al. (2017), section 3.2.1; Ainslie et
// al., "GQA" (2023), section 2.2.
at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  Mask mask, std::int64_t window = 0, std::span<const TokenSpan> both_ways = {});

// Returns causal attention as `attend` does, with the products q k / sqrt(d) capped before the
// softmax: s becomes cap * tanh(s / cap). Source: Gemma Team, "Gemma 2" (2024), section 2.
at::Tensor attend_capped(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         double cap, std::int64_t window = 0);

// Attends within segments: rows [offsets[s], offsets[s + 1]) see only each other. query, key and
// value are [heads, T, d]. Returns [T, heads * d]. Segments of equal length run as one batch.
at::Tensor attend_segments(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const std::vector<std::int64_t>& offsets);

}  // namespace fineprint::nets

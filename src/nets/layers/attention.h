// Attention over one sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

enum class Mask {
  none,    // every query sees every key
  causal,  // query t sees the keys before it and its own: the queries are the last of the keys
};

// Queries [begin, end).
struct TokenSpan {
  std::int64_t begin = 0, end = 0;
};

// query [heads, T, d], key and value [kv_heads, S, d] with heads a multiple of kv_heads and
// neighbouring heads sharing a key. With a window, a causal query sees the last `window` keys of
// those, its own included. Causal queries of one of the spans `both_ways` see the keys of those
// behind them in it, too. Returns [T, heads * d]. Sources: Vaswani et al. (2017), section 3.2.1;
// Ainslie et al., "GQA" (2023), section 2.2.
at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                  Mask mask, std::int64_t window = 0, std::span<const TokenSpan> both_ways = {});

// Attention within segments: rows [offsets[s], offsets[s + 1]) see each other. query, key and value
// [heads, T, d]; returns [T, heads * d]. Segments of one length run as one batch.
at::Tensor attend_segments(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const std::vector<std::int64_t>& offsets);

}  // namespace fineprint::nets

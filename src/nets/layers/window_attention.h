// Attention in both directions within a window.
#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace fineprint::nets {

// Attends within a window: token t sees tokens at most `window` positions away, among the first
// `seen` ones. query is [heads, T, d]; key and value are [kv_heads, T, d], shared by neighbouring
// heads as in attend(). Returns [T, heads * d]. Work and memory grow with T * window.
at::Tensor attend_window(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         std::int64_t window, std::int64_t seen);

}  // namespace fineprint::nets

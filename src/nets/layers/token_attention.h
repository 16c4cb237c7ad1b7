// Attention of one new token over keys and values that lie in blocks, on the CPU.
#pragma once

#include <cstdint>
#include <span>

namespace fineprint::nets {

// Keys or values of one layer: a row a token, [kv_heads * head_dim] each, in blocks of
// `block_tokens` rows, of which `blocks` are a sequence's.
struct BlockedRows {
  const float* keys = nullptr;
  const float* values = nullptr;
  std::span<const std::int32_t> blocks;
  std::int64_t block_tokens = 0;
  std::int64_t from = 0, to = 0;  // rows that are seen
  std::int64_t kv_heads = 0, head_dim = 0;
};

// query and result [heads, head_dim], neighbouring heads sharing a key. Runs on LibTorch's threads
// of the caller. Same result as softmax(q k / sqrt(d)) v over the rows, in float32.
void attend_token(const float* query, std::int64_t heads, const BlockedRows& rows, float* result);

}  // namespace fineprint::nets

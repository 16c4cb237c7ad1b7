// Attention of one new token over keys and values in blocks, on the CPU.
#pragma once

#include <cstdint>
#include <span>

namespace fineprint::nets {

// Keys and values of one layer. Each token has a row of [kv_heads * head_dim]. Rows are in blocks
// of `block_tokens`, and `blocks` lists the blocks of one sequence in order.
struct BlockedRows {
  const float* keys = nullptr;
  const float* values = nullptr;
  std::span<const std::int32_t> blocks;
  std::int64_t block_tokens = 0;
  std::int64_t from = 0, to = 0;  // tokens that the query sees
  std::int64_t kv_heads = 0, head_dim = 0;
};

// Writes softmax(q k / sqrt(d)) v over the rows, in float32. query and result are
// [heads, head_dim]; neighbouring heads share a key. Runs on the caller's LibTorch threads.
void attend_token(const float* query, std::int64_t heads, const BlockedRows& rows, float* result);

}  // namespace fineprint::nets

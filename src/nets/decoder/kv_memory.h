// The memory in which the keys and values of all of a model's sequences lie.
#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "fineprint/serving/block_table.h"

namespace fineprint::nets {

// Sizes of what the layers of a decoder that attend alike remember.
struct KvShape {
  std::int64_t layers = 0, kv_heads = 0, head_dim = 0;
  std::int64_t window = 0;  // tokens that a token sees, itself included; 0: all before it
  at::TensorOptions options;

  std::int64_t bytes_per_token() const {
    return layers * 2 * kv_heads * head_dim *
           static_cast<std::int64_t>(c10::elementSize(c10::typeMetaToScalarType(options.dtype())));
  }
};

// One tensor, made when the first block is wanted. On the CPU its pages take up memory only once
// they are written to.
class KvMemory {
 public:
  static constexpr std::int64_t kBlockTokens = 32;

  // Room for about `tokens` tokens of all sequences together.
  KvMemory(const KvShape& shape, std::int64_t tokens);

  const KvShape& shape() const { return shape_; }
  const std::shared_ptr<serving::BlockPool>& blocks() const { return blocks_; }
  // [layers, 2, tokens, kv_heads, head_dim]; keys first. A block is kBlockTokens rows of the third.
  const at::Tensor& values() const { return values_; }

 private:
  bool grow(std::int64_t blocks);

  KvShape shape_;
  std::int64_t most_;  // blocks
  at::Tensor values_;
  std::shared_ptr<serving::BlockPool> blocks_;
};

// What may be had for states: half of the memory that the device has free.
std::int64_t bytes_for_states(const at::Device& device);

}  // namespace fineprint::nets

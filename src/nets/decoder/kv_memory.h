// The memory for the keys and values of all sequences of a model.
#pragma once

#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "fineprint/serving/block_table.h"

namespace fineprint::nets {

// Sizes of the states of all decoder layers that attend alike.
struct KvShape {
  std::int64_t layers = 0, kv_heads = 0, head_dim = 0;
  std::int64_t window = 0;  // tokens that a token sees, itself included; 0: all earlier ones
  at::TensorOptions options;

  // Of all layers together.
  std::int64_t bytes_per_token() const {
    return layers * 2 * kv_heads * head_dim *
           static_cast<std::int64_t>(c10::elementSize(c10::typeMetaToScalarType(options.dtype())));
  }
};

// One tensor, allocated when the first block is needed. On the CPU, the system gives it pages only
// once they are written to, so a large limit alone costs nothing.
class KvMemory {
 public:
  static constexpr std::int64_t kBlockTokens = 32;  // tokens in a block

  // Holds about `tokens` tokens of all sequences together.
  KvMemory(const KvShape& shape, std::int64_t tokens);

  const KvShape& shape() const { return shape_; }
  const std::shared_ptr<serving::BlockPool>& blocks() const { return blocks_; }
  // [layers, 2, tokens, kv_heads, head_dim]; keys come first. A block is kBlockTokens rows of the
  // third dimension.
  const at::Tensor& values() const { return values_; }

 private:
  bool grow(std::int64_t blocks);

  KvShape shape_;
  std::int64_t most_;  // blocks
  at::Tensor values_;
  std::shared_ptr<serving::BlockPool> blocks_;
};

// Returns the bytes that states may use: half of the device's free memory. The other half is for
// the results of a step, and for other programs.
std::int64_t bytes_for_states(const at::Device& device);

}  // namespace fineprint::nets

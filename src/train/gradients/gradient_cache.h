// Computes gradients of a loss over more items than memory can hold the activations of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::train {

// The items [begin, end) of a batch.
struct Chunk {
  std::int64_t begin = 0, end = 0;
};

// The results of a chunk's items: one row each, and perhaps a loss of their own, which is added.
struct Encoded {
  Encoded(at::Tensor rows, at::Tensor added = {})
      : vectors(std::move(rows)), own_loss(std::move(added)) {}
  at::Tensor vectors;   // [n, d]
  at::Tensor own_loss;  // one number, or undefined
};

// Returns chunks of neighbouring items whose lengths sum to at most `most`. A longer item is alone.
std::vector<Chunk> chunks_of(std::span<const std::int64_t> lengths, std::int64_t most);

// Returns chunks of neighbouring items with about the same total length, which is at most `most`,
// or half an item more. Their number is 1, 2, 4, ... if there are enough items, so that threads
// that process one chunk each end together.
std::vector<Chunk> even_chunks_of(std::span<const std::int64_t> lengths, std::int64_t most);

// Adds the gradients of loss(vectors of all items), and of the chunks' own losses, to the tensors
// that `encode` uses. Returns the sum of the losses. `loss` may return an undefined tensor: there
// is then only the chunks' own loss.
// Items are encoded twice: all of them for the loss and its gradient by their vectors, then chunk
// by chunk for the gradients of the weights. So `encode` must do the same both times, also when it
// draws random numbers. The result is that of one pass, except for rounding.
// Source: Gao et al., "Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup"
// (2021), section 3.
double add_gradients(std::span<const Chunk> chunks,
                     const std::function<Encoded(const Chunk&)>& encode,
                     const std::function<at::Tensor(const at::Tensor& vectors)>& loss);

}  // namespace fineprint::train

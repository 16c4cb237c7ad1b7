// Gradients of a loss over more items than memory holds the activations of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace fineprint::train {

// Items [begin, end) of a batch.
struct Chunk {
  std::int64_t begin = 0, end = 0;
};

// What a chunk's items come to: a row each, and perhaps a loss of their own that is added.
struct Encoded {
  Encoded(at::Tensor rows, at::Tensor added = {})
      : vectors(std::move(rows)), own_loss(std::move(added)) {}
  at::Tensor vectors;   // [n, d]
  at::Tensor own_loss;  // one number, or undefined
};

// Neighbouring items whose lengths add up to `most` at most, or a longer one alone.
std::vector<Chunk> chunks_of(std::span<const std::int64_t> lengths, std::int64_t most);

// Neighbouring items of about the same length a chunk, which is `most` or, by half an item, a
// little more. They are 1, 2, 4, ... where items suffice, so that threads that take a chunk each
// end together.
std::vector<Chunk> even_chunks_of(std::span<const std::int64_t> lengths, std::int64_t most);

// Adds the gradients of loss(vectors of all items), and of the chunks' own losses, to the tensors
// that `encode` uses, and returns the sum of them. The loss may be undefined: there is none. Items
// are encoded twice: all of them for the loss and its gradient by their vectors, then chunk by
// chunk for the gradients of the weights. `encode` must do the same both times, also where it draws
// random numbers. The result is that of one pass, but for rounding. Source: Gao et al., "Scaling
// Deep Contrastive Learning Batch Size under Memory Limited Setup" (2021), section 3.
double add_gradients(std::span<const Chunk> chunks,
                     const std::function<Encoded(const Chunk&)>& encode,
                     const std::function<at::Tensor(const at::Tensor& vectors)>& loss);

}  // namespace fineprint::train

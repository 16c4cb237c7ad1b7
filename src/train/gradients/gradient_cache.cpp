// Gradients of a loss over more items than memory holds the activations of.
#include "train/gradients/gradient_cache.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include "fineprint/core/threads.h"

namespace fineprint::train {

std::vector<Chunk> chunks_of(std::span<const std::int64_t> lengths, std::int64_t most) {
  std::vector<Chunk> chunks;
  std::int64_t tokens = 0;
  for (std::int64_t i = 0; i < std::ssize(lengths); ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    if (chunks.empty() || tokens + length > most) {
      chunks.push_back({i, i});
      tokens = 0;
    }
    chunks.back().end = i + 1;
    tokens += length;
  }
  return chunks;
}

double add_gradients(std::span<const Chunk> chunks,
                     const std::function<at::Tensor(const Chunk&)>& encode,
                     const std::function<at::Tensor(const at::Tensor& vectors)>& loss) {
  if (chunks.size() == 1) {  // which fits as it is
    const at::Tensor value = loss(encode(chunks[0]));
    value.backward();
    return value.item<double>();
  }
  std::vector<at::Tensor> parts;
  {
    const at::NoGradGuard no_gradients;
    for (const Chunk& chunk : chunks) {
      throw_if_interrupted();
      parts.push_back(encode(chunk));
    }
  }
  const at::Tensor vectors = at::cat(parts).set_requires_grad(true);
  const at::Tensor value = loss(vectors);
  value.backward();
  for (const Chunk& chunk : chunks) {
    throw_if_interrupted();
    encode(chunk).backward(vectors.grad().narrow(0, chunk.begin, chunk.end - chunk.begin));
  }
  return value.item<double>();
}

}  // namespace fineprint::train

// Computes gradients of a loss over more items than memory can hold the activations of.
#include "train/gradients/gradient_cache.h"

#include <numeric>

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include "fineprint/core/threads.h"

namespace fineprint::train {
namespace {

// Undefined tensors count as zero.
at::Tensor sum_of(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() ? a : b;
  return a + b;
}

}  // namespace

std::vector<Chunk> chunks_of(std::span<const std::int64_t> lengths, std::int64_t most) {
  std::vector<Chunk> chunks;
  std::int64_t tokens = 0;
  for (std::int64_t i = 0; i < std::ssize(lengths); ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    // An item that is longer than the limit alone gets a chunk of its own.
    if (chunks.empty() || tokens + length > most) {
      chunks.push_back({i, i});
      tokens = 0;
    }
    chunks.back().end = i + 1;
    tokens += length;
  }
  return chunks;
}

std::vector<Chunk> even_chunks_of(std::span<const std::int64_t> lengths, std::int64_t most) {
  const std::int64_t total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  std::int64_t count = 1;
  // A power of two, so that threads that take one chunk each end together.
  while (total > count * most) count *= 2;
  std::vector<Chunk> chunks;
  std::int64_t before = 0, newest = -1;
  for (std::int64_t i = 0; i < std::ssize(lengths); ++i) {
    const std::int64_t length = lengths[static_cast<std::size_t>(i)];
    const std::int64_t chunk =
        (2 * before + length) * count / (2 * total + 1);  // of the item's middle
    if (chunk != newest) chunks.push_back({i, i});
    chunks.back().end = i + 1;
    newest = chunk;
    before += length;
  }
  return chunks;
}

double add_gradients(std::span<const Chunk> chunks,
                     const std::function<Encoded(const Chunk&)>& encode,
                     const std::function<at::Tensor(const at::Tensor& vectors)>& loss) {
  if (chunks.size() == 1) {  // one chunk fits into memory, so one pass is enough
    const Encoded encoded = encode(chunks[0]);
    const at::Tensor value = sum_of(loss(encoded.vectors), encoded.own_loss);
    value.backward();
    return value.item<double>();
  }
  std::vector<at::Tensor> parts;
  double sum = 0;
  {
    // The first pass keeps only the vectors, so its memory is that of one chunk.
    const at::NoGradGuard no_gradients;
    for (const Chunk& chunk : chunks) {
      throw_if_interrupted();
      const Encoded encoded = encode(chunk);
      parts.push_back(encoded.vectors);
      if (encoded.own_loss.defined()) sum += encoded.own_loss.item<double>();
    }
  }
  // The vectors are leaves here, so that backward() stops at them and needs no activations of the
  // model.
  const at::Tensor vectors = at::cat(parts).set_requires_grad(true);
  const at::Tensor value = loss(vectors);
  if (value.defined()) {
    value.backward();
    sum += value.item<double>();
  }
  for (const Chunk& chunk : chunks) {
    throw_if_interrupted();
    const Encoded encoded = encode(chunk);
    at::Tensor through = encoded.own_loss;
    if (value.defined()) {
      const at::Tensor slopes = vectors.grad().narrow(0, chunk.begin, chunk.end - chunk.begin);
      // The gradient of this sum is the gradient of the loss: the slopes are constants here (chain
      // rule).
      through = sum_of((encoded.vectors * slopes).sum(), through);
    }
    if (through.defined()) through.backward();
  }
  return sum;
}

}  // namespace fineprint::train

// The loss of replies, for all trainings of models that write.
#include "train/gradients/replies.h"

#include <cstddef>
#include <vector>

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>

#include "fineprint/core/threads.h"

#include "train/gradients/gradient_cache.h"

namespace fineprint::train {

// The losses of replies are independent, so they are computed piece by piece.
double add_gradients_of_replies(const nets::TrainedGenerator& generator,
                                std::span<const nets::WantedReply> wanted, std::int64_t most,
                                std::uint64_t seed) {
  std::vector<std::int64_t> lengths;
  for (const nets::WantedReply& one : wanted) lengths.push_back(generator.length(one));
  double sum = 0;
  for (const Chunk& chunk : chunks_of(lengths, most)) {
    throw_if_interrupted();
    at::manual_seed(seed + static_cast<std::uint64_t>(chunk.begin));  // of dropout
    const auto piece = wanted.subspan(static_cast<std::size_t>(chunk.begin),
                                      static_cast<std::size_t>(chunk.end - chunk.begin));
    const at::Tensor loss = generator.surprise(piece).sum() / static_cast<double>(wanted.size());
    loss.backward();
    sum += loss.item<double>();
  }
  return sum;
}

}  // namespace fineprint::train

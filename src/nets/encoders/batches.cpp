// Groups texts of different lengths into batches of about equal work.
#include "nets/encoders/batches.h"

#include <algorithm>
#include <numeric>

namespace fineprint::nets {

std::vector<std::vector<std::size_t>> make_batches(std::span<const std::size_t> lengths,
                                                   std::size_t max_tokens, int threads) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Longest first, so that the texts of a batch have similar lengths and the last batches to start
  // are short.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });

  const std::size_t total = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  const auto share =
      (total + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  constexpr std::size_t kWorthAThread = 64;  // below, a product runs far under the core's peak
  const std::size_t budget = std::min(max_tokens, std::max(share, kWorthAThread));

  std::vector<std::vector<std::size_t>> batches;
  std::size_t filled = 0;
  for (const std::size_t index : order) {
    if (batches.empty() || filled + lengths[index] > budget) {
      batches.emplace_back();
      filled = 0;
    }
    batches.back().push_back(index);
    filled += lengths[index];
  }
  return batches;
}

}  // namespace fineprint::nets

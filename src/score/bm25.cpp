// BM25 weights, added posting by posting.
#include "fineprint/score/bm25.h"

#include <cmath>
#include <numeric>

namespace fineprint::score {

// The 1 inside the logarithm keeps the weight of very common terms above 0.
double bm25_idf(std::size_t unit_count, std::size_t units_with_term) {
  const auto all = static_cast<double>(unit_count);
  const auto with = static_cast<double>(units_with_term);
  return std::log1p((all - with + 0.5) / (with + 0.5));
}

// Computed once for all questions, so that a posting costs one load and one division.
std::vector<float> bm25_damping(std::span<const std::uint32_t> lengths,
                                const Bm25Parameters& parameters) {
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const double k1 = parameters.k1;
  const double per_term =
      total > 0 ? k1 * parameters.b * static_cast<double>(lengths.size()) / total : 0;
  std::vector<float> out;
  out.reserve(lengths.size());
  for (const std::uint32_t length : lengths) {
    out.push_back(static_cast<float>(k1 * (1 - parameters.b) + per_term * length));
  }
  return out;
}

void bm25_add(std::span<const Posting> postings, std::span<const float> damping, double gain,
              std::span<float> scores) {
  const auto scale = static_cast<float>(gain);
  for (const auto& [unit, frequency] : postings) {
    const auto times = static_cast<float>(frequency);
    scores[unit] += scale * times / (times + damping[unit]);
  }
}

}  // namespace fineprint::score

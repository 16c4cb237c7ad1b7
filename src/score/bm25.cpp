// BM25's weights, added posting by posting.
#include "fineprint/score/bm25.h"

#include <cmath>

namespace fineprint::score {

double bm25_idf(std::size_t unit_count, std::size_t units_with_term) {
  const auto all = static_cast<double>(unit_count);
  const auto with = static_cast<double>(units_with_term);
  return std::log1p((all - with + 0.5) / (with + 0.5));
}

void bm25_add(std::span<const Posting> postings, std::span<const std::uint32_t> lengths,
              const Bm25Collection& collection, const Bm25Parameters& parameters, double weight,
              std::span<float> scores) {
  const double gain = weight * bm25_idf(collection.unit_count, postings.size());
  const double k1 = parameters.k1;
  const double per_term =
      collection.average_length > 0 ? k1 * parameters.b / collection.average_length : 0;
  const double base = k1 * (1 - parameters.b);
  for (const Posting& posting : postings) {
    const double frequency = posting.frequency;
    const double damping = base + per_term * lengths[posting.unit];
    scores[posting.unit] += static_cast<float>(gain * frequency / (frequency + damping));
  }
}

}  // namespace fineprint::score

// Search by meaning: the question's vector against the vectors of all chunks.
#include <cmath>
#include <limits>

#include "retrieve/vector_scan.h"

namespace fineprint::retrieve {
namespace {

// The question's direction; with an expansion, halfway between the two.
std::vector<float> query_direction(const PageSearch& search) {
  const session::Session& session = search.context.session;
  Matrix sum = session.embed_query(search.set, search.query.core);
  if (!search.query.expansion.empty()) {
    const Matrix expansion = session.embed_query(search.set, search.query.expansion);
    for (std::size_t i = 0; i < sum.cols; ++i) sum.values[i] += expansion.values[i];
  }
  double squares = 0;
  for (const float value : sum.values) squares += static_cast<double>(value) * value;
  const double norm = std::sqrt(squares);
  if (norm > 0) {
    for (float& value : sum.values) value = static_cast<float>(value / norm);
  }
  return sum.values;
}

// With codes, the best chunks are exact too: as many of them as pages reach the score that the last
// exact page has.
std::vector<float> text_scores(const PageSearch& search) {
  const VectorScan scan(search);
  const std::vector<float> direction = query_direction(search);
  return scan.all(products_with(direction), 1.0, pages_looked_at(search.options));
}

constexpr float kAnyScore = -std::numeric_limits<float>::infinity();

}  // namespace

Ranking by_text(const PageSearch& search) {
  return rank_by_best_chunk(search.context.session.corpus(), search.pool, text_scores(search),
                            kAnyScore);
}

Ranking elements_by_text(const PageSearch& search) {
  return {.scores = text_scores(search), .best_chunk = {}, .scale = 1};
}

Ranking chunks_by_text(const PageSearch& search) {
  return rank_chunks(search.context.session.corpus(), search.pool, text_scores(search), kAnyScore);
}

}  // namespace fineprint::retrieve

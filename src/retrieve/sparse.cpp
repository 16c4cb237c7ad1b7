// Searches by the weights of tokens: products over posting lists.
#include <algorithm>
#include <map>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// Returns the question's weights by token. With words of the glossary, they are the mean of the
// question's and theirs, so that neither outweighs the other.
std::map<std::uint32_t, float> query_weights(const PageSearch& search) {
  std::map<std::uint32_t, float> weights;
  const auto add = [&](const std::string& text, float share) {
    const Matrix entries = search.context.session.embed_query(search.set, text);
    for (std::size_t row = 0; row < entries.rows; ++row) {
      weights[static_cast<std::uint32_t>(entries.row(row)[0])] += share * entries.row(row)[1];
    }
  };
  if (search.query.expansion.empty()) {
    add(search.query.core, 1);
  } else {
    add(search.query.core, 0.5F);
    add(search.query.expansion, 0.5F);
  }
  return weights;
}

struct ScoredChunks {
  std::vector<float> scores;  // [chunks]
  double scale = 1;           // see Ranking
};

// No chunk scores more than one that has each token with its largest weight anywhere, so this
// brings scores to 0..1.
ScoredChunks score_chunks(const PageSearch& search) {
  const session::KeywordIndex& index = search.context.session.sparse(search.set);
  ScoredChunks out{std::vector<float>(index.unit_count()), 1};
  std::vector<score::Posting> postings;
  double most = 0;
  for (const auto& [token, weight] : query_weights(search)) {
    index.read(store::sparse_term(token), &postings);
    const float gain = weight / store::kWeightSteps;
    std::uint32_t largest = 0;
    for (const auto& [chunk, steps] : postings) {
      out.scores[chunk] += gain * static_cast<float>(steps);
      largest = std::max(largest, steps);
    }
    most += static_cast<double>(gain) * largest;
  }
  if (most > 0) out.scale = 1 / most;
  return out;
}

}  // namespace

Ranking by_sparse(const PageSearch& search) {
  const ScoredChunks chunks = score_chunks(search);
  Ranking ranking =
      rank_by_best_chunk(search.context.session.corpus(), search.pool, chunks.scores, 0.0F);
  ranking.scale = chunks.scale;
  return ranking;
}

Ranking chunks_by_sparse(const PageSearch& search) {
  const ScoredChunks chunks = score_chunks(search);
  Ranking ranking = rank_chunks(search.context.session.corpus(), search.pool, chunks.scores, 0.0F);
  ranking.scale = chunks.scale;
  return ranking;
}

}  // namespace fineprint::retrieve

// Turns scores of chunks into a ranking of pages, or into a ranking of the pool's chunks.
#include <limits>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {

Ranking empty_ranking(const session::Corpus& corpus) {
  Ranking ranking;
  ranking.scores.assign(corpus.page_count(), std::numeric_limits<float>::quiet_NaN());
  return ranking;
}

Ranking rank_by_best_chunk(const session::Corpus& corpus, const session::Pool& pool,
                           std::span<const float> chunk_scores, float floor) {
  const session::UnitTable& chunks = corpus.chunks();
  Ranking ranking = empty_ranking(corpus);
  ranking.best_chunk.assign(corpus.page_count(), kNoChunk);
  for (const std::uint32_t document : pool) {
    for (std::uint32_t chunk = chunks.first[document]; chunk < chunks.first[document + 1];
         ++chunk) {
      const float score = chunk_scores[chunk];
      float& best = ranking.scores[chunks.page[chunk]];
      // The comparison with `best` must be false for NaN, which is its value at first.
      if (!(score > floor) || score <= best) continue;
      best = score;
      ranking.best_chunk[chunks.page[chunk]] = chunk;
    }
  }
  return ranking;
}

Ranking rank_chunks(const session::Corpus& corpus, const session::Pool& pool,
                    std::span<const float> chunk_scores, float floor) {
  const session::UnitTable& chunks = corpus.chunks();
  Ranking ranking;
  ranking.scores.assign(chunks.page.size(), std::numeric_limits<float>::quiet_NaN());
  for (const std::uint32_t document : pool) {
    for (std::uint32_t chunk = chunks.first[document]; chunk < chunks.first[document + 1];
         ++chunk) {
      if (chunk_scores[chunk] > floor) ranking.scores[chunk] = chunk_scores[chunk];
    }
  }
  return ranking;
}

}  // namespace fineprint::retrieve

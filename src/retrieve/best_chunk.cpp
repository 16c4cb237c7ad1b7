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
  const session::ChunkTable& chunks = corpus.chunks();
  Ranking ranking = empty_ranking(corpus);
  ranking.best_chunk.assign(corpus.page_count(), kNoChunk);
  for (const DocumentId document : pool) {
    for (ChunkId chunk = chunks.begin_of(document); chunk < chunks.end_of(document); ++chunk) {
      const float score = chunk_scores[chunk.value];
      const PageId page = chunks.page_of(chunk);
      float& best = ranking.scores[page.value];
      // The comparison with `best` must be false for NaN, which is its value at first.
      if (!(score > floor) || score <= best) continue;
      best = score;
      ranking.best_chunk[page.value] = chunk;
    }
  }
  return ranking;
}

Ranking rank_chunks(const session::Corpus& corpus, const session::Pool& pool,
                    std::span<const float> chunk_scores, float floor) {
  const session::ChunkTable& chunks = corpus.chunks();
  Ranking ranking;
  ranking.scores.assign(chunks.page.size(), std::numeric_limits<float>::quiet_NaN());
  for (const DocumentId document : pool) {
    for (ChunkId chunk = chunks.begin_of(document); chunk < chunks.end_of(document); ++chunk) {
      const float score = chunk_scores[chunk.value];
      if (score > floor) ranking.scores[chunk.value] = score;
    }
  }
  return ranking;
}

}  // namespace fineprint::retrieve

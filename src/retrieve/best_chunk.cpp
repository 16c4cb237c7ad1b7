// From scores of chunks to a ranking of pages.
#include "retrieve/scorers.h"

namespace fineprint::retrieve {

Ranking rank_by_best_chunk(const session::Corpus& corpus, const session::Pool& pool,
                           const std::vector<float>& chunk_scores, float floor) {
  const session::ChunkTable& chunks = corpus.chunks();
  Ranking ranking;
  for (const std::uint32_t document : pool) {
    for (std::uint32_t chunk = chunks.first[document]; chunk < chunks.first[document + 1];
         ++chunk) {
      const float score = chunk_scores[chunk];
      if (!(score > floor)) continue;
      // Chunks of a page follow each other, so its entry is the last one if it has any.
      const std::uint32_t page = chunks.page[chunk];
      const bool is_new = ranking.pages.empty() || ranking.pages.back().item != page;
      if (!is_new && static_cast<double>(score) <= ranking.pages.back().score) continue;
      if (is_new) ranking.pages.push_back({page, score});
      ranking.pages.back().score = score;
      ranking.best_chunk[page] = chunk;
    }
  }
  ranking.pages = score::top_k(std::move(ranking.pages), 0);
  return ranking;
}

}  // namespace fineprint::retrieve

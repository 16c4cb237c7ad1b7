// Keyword search: BM25 over chunks.
#include "fineprint/score/bm25.h"

#include <algorithm>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
std::vector<float> bm25_of_chunks(const PageSearch& search) {
  const session::KeywordIndex& index = search.context.session.corpus().keywords();
  std::vector<float> scores(index.unit_count());
  std::vector<score::Posting> postings;
  double most = 0;
  for (const WeightedTerm& term : search.query.weighted_terms()) {
    index.read(term.term, &postings);
    if (postings.empty()) continue;
    const double gain = term.weight * score::bm25_idf(index.unit_count(), postings.size());
    score::bm25_add(postings, index.damping(), gain, scores);
    most += gain;
  }
  if (most > 0) {
    for (float& score : scores) score *= static_cast<float>(1 / most);
  }
  return scores;
}

std::vector<score::Posting> corpus_postings(const session::Corpus& corpus,
                                            const std::string& term) {
  std::vector<score::Posting> postings;
  corpus.keywords().read(term, &postings);
  return postings;
}

Ranking by_bm25(const PageSearch& search) {
  return rank_by_best_chunk(search.context.session.corpus(), search.pool, bm25_of_chunks(search),
                            0.0F);
}

Ranking chunks_by_bm25(const PageSearch& search) {
  return rank_chunks(search.context.session.corpus(), search.pool, bm25_of_chunks(search), 0.0F);
}

}  // namespace fineprint::retrieve

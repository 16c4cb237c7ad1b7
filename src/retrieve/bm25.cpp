// Searches by keywords: BM25 over chunks.
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
    read_postings(search.context.session.corpus(), term.term, term.spellings, &postings);
    if (postings.empty()) continue;
    const double gain = term.weight * score::bm25_idf(index.unit_count(), postings.size());
    score::bm25_add(postings, index.damping(), gain, scores);
    most += gain;
  }
  // No chunk can reach `most`, the sum of all gains: dividing by it keeps scores in 0..1, where
  // they can be added to those of other scorers.
  if (most > 0) {
    for (float& score : scores) score *= static_cast<float>(1 / most);
  }
  return scores;
}

void read_postings(const session::Corpus& corpus, const std::string& term,
                   std::span<const std::string> spellings, std::vector<score::Posting>* out) {
  corpus.keywords().read(term, out);
  if (spellings.empty()) return;
  std::vector<score::Posting> more;
  for (const std::string& spelling : spellings) {
    corpus.keywords().read(spelling, &more);
    out->insert(out->end(), more.begin(), more.end());
  }
  // A chunk with two spellings of a word counts both, so their frequencies are summed.
  std::ranges::sort(*out, {}, &score::Posting::unit);
  std::size_t count = 0;
  for (const score::Posting& posting : *out) {
    if (count > 0 && (*out)[count - 1].unit == posting.unit) {
      (*out)[count - 1].frequency += posting.frequency;
    } else {
      (*out)[count++] = posting;
    }
  }
  out->resize(count);
}

Ranking by_bm25(const PageSearch& search) {
  return rank_by_best_chunk(search.context.session.corpus(), search.pool, bm25_of_chunks(search),
                            0.0F);
}

Ranking chunks_by_bm25(const PageSearch& search) {
  return rank_chunks(search.context.session.corpus(), search.pool, bm25_of_chunks(search), 0.0F);
}

}  // namespace fineprint::retrieve

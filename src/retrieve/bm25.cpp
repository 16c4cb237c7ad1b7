// Keyword search: BM25 over chunks.
#include "fineprint/score/bm25.h"

#include <algorithm>

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

// k1 under Lucene's usual 1.5: chunks are short, so a repeated term says less.
constexpr score::Bm25Parameters kParameters{1.2, 0.75};

score::Bm25Collection collection_of(const session::ChunkTable& chunks) {
  double total = 0;
  for (const std::uint32_t length : chunks.lengths) total += length;
  const std::size_t count = chunks.lengths.size();
  return {count, count > 0 ? total / static_cast<double>(count) : 0};
}

// A term's postings in the whole corpus, under dense chunk numbers.
std::vector<score::Posting> corpus_postings(const session::Corpus& corpus,
                                            const std::string& term) {
  const session::ChunkTable& chunks = corpus.chunks();
  std::vector<score::Posting> postings;
  corpus.store().postings("chunk", term,
                          [&](std::int64_t id, std::span<const score::Posting> found) {
                            const std::uint32_t first = chunks.first[corpus.index_of(id)];
                            for (const score::Posting& posting : found) {
                              postings.push_back({first + posting.unit, posting.frequency});
                            }
                          });
  return postings;
}

}  // namespace

Ranking by_bm25(const session::Context& context, const Query& query, const session::Pool& pool) {
  const session::Corpus& corpus = context.session.corpus();
  const session::ChunkTable& chunks = corpus.chunks();
  const score::Bm25Collection collection = collection_of(chunks);
  std::vector<float> scores(chunks.page.size(), 0.0f);
  double most = 0;
  for (const WeightedTerm& term : query.weighted_terms()) {
    const std::vector<score::Posting> postings = corpus_postings(corpus, term.term);
    if (postings.empty()) continue;
    score::bm25_add(postings, chunks.lengths, collection, kParameters, term.weight, scores);
    most += term.weight * score::bm25_idf(collection.unit_count, postings.size());
  }
  if (most > 0) {
    for (float& score : scores) score = static_cast<float>(score / most);
  }
  return rank_by_best_chunk(corpus, pool, scores, 0.0f);
}

}  // namespace fineprint::retrieve

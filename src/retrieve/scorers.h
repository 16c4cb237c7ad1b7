// The single scorers that a search is made of. Each one scores pages of a pool.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "fineprint/retrieve/query.h"
#include "fineprint/score/fusion.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// A scorer's ranking, best first: pages with something to say for them, by dense number.
struct Ranking {
  std::vector<score::Scored> pages;
  // The chunk (dense number) that gave each page its score.
  std::unordered_map<std::uint32_t, std::uint32_t> best_chunk;
};

// The ranking of the pool's pages by their best chunk. `chunk_scores` by dense chunk number; a
// chunk at or under `floor` says nothing for its page.
Ranking rank_by_best_chunk(const session::Corpus& corpus, const session::Pool& pool,
                           const std::vector<float>& chunk_scores, float floor);

// BM25 of a page's best chunk, as a share of what a chunk holding all of the question's terms
// without end would score: 0..1. Statistics are the whole corpus's.
Ranking by_bm25(const session::Context& context, const Query& query, const session::Pool& pool);

// The cosine between the question (and what the glossary adds to it) and a page's best chunk.
Ranking by_text(const session::Context& context, const Query& query, const session::Pool& pool);

}  // namespace fineprint::retrieve

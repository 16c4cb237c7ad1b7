// The single scorers that a search is made of. Each one scores pages of a pool.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/bm25.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

inline constexpr std::uint32_t kNoChunk = ~std::uint32_t{0};

// What a scorer says of all pages of the corpus (or of all chunks), by dense number.
struct Ranking {
  std::vector<float> scores;  // [pages]; NaN where it says nothing, as outside the pool
  // The chunk (dense number) that gave each page its score, or kNoChunk: [pages], or empty when the
  // scorer knows no chunks.
  std::vector<std::uint32_t> best_chunk;
  // Brings the scores to about 0..1, where scores of several scorers can be added.
  double scale = 1;
};

// One that says nothing of any page.
Ranking empty_ranking(const session::Corpus& corpus);

// The ranking of the pool's pages by their best chunk. `chunk_scores` by dense chunk number; a
// chunk at or under `floor` says nothing for its page.
Ranking rank_by_best_chunk(const session::Corpus& corpus, const session::Pool& pool,
                           std::span<const float> chunk_scores, float floor);

// The scores of the pool's chunks as a ranking of chunks; a chunk at or under `floor` is left out.
Ranking rank_chunks(const session::Corpus& corpus, const session::Pool& pool,
                    std::span<const float> chunk_scores, float floor);

// The postings of a term, or of any of its other spellings, in the whole corpus, under dense chunk
// numbers, in place of what `out` held; documents in no order.
void read_postings(const session::Corpus& corpus, const std::string& term,
                   std::span<const std::string> spellings, std::vector<score::Posting>* out);

// What a scorer works on.
struct PageSearch {
  const session::Context& context;
  const Query& query;
  const session::Pool& pool;
  const SearchOptions& options;
  std::string set;  // of vectors, by its name in the store: "late-2"; empty for keywords
};

// BM25 of every chunk of the corpus, 0 where none of the question's terms stands; see by_bm25.
std::vector<float> bm25_of_chunks(const PageSearch& search);

// BM25 of a page's best chunk, as a share of what a chunk holding all of the question's terms
// without end would score: 0..1. Statistics are the whole corpus's.
Ranking by_bm25(const PageSearch& search);
// The cosine between the question (and what the glossary adds to it) and a page's best chunk. Where
// the set is not whole yet, the pages that the question's words speak for most get their vectors
// now, and others without vectors the mean of all, which speaks neither for nor against them.
Ranking by_text(const PageSearch& search);
// The cosine between the question and the page's image.
Ranking by_page(const PageSearch& search);
// The hybrid mask over the pages of the shortlist, or over the whole pool.
Ranking by_hybrid_mask(const PageSearch& search);
// MaxSim between the question and the page's image, summed over the question's vectors.
Ranking by_late(const PageSearch& search);
// The same of a page's best chunk.
Ranking by_late_text(const PageSearch& search);
// A bonus for the pages of the pool that the question names ("on page 5").
Ranking by_named_page(const PageSearch& search);

// The same of chunks by themselves: [chunks] in place of [pages], without best chunks.
Ranking chunks_by_bm25(const PageSearch& search);
Ranking chunks_by_text(const PageSearch& search);
Ranking chunks_by_late_text(const PageSearch& search);
Ranking chunks_by_named_page(const PageSearch& search);

// The same of elements: [elements], over a set of them. by_page, by_hybrid_mask and by_late do it
// as they are.
Ranking elements_by_text(const PageSearch& search);
Ranking elements_by_late_text(const PageSearch& search);
Ranking elements_by_named_page(const PageSearch& search);

// What the hybrid mask does with a page, for explanations: by the exact vectors where they are
// kept. For sets of many vectors the sums over the question's vectors, each with its best row, and
// the means of the shares. nullopt for a page without vectors.
std::optional<MaskParts> mask_parts(const PageSearch& search, std::uint32_t page);

}  // namespace fineprint::retrieve
